"""Between browsers and pages: what is known of a request, and what it may not do."""
