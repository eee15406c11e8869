"""The command line: words in, tables out. One module a command; `dohyo.cli.main` lists them."""
