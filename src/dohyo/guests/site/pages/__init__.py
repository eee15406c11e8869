"""The site's pages, each a function of a request, in a file by what they are about."""
