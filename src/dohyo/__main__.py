"""`python -m dohyo`: the command `dohyo`."""

from dohyo.cli.main import main

if __name__ == "__main__":
    main()
