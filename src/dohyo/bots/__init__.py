"""Programs on disk: what the operator names is recognised, built where it has to be, and ready to be started."""

from dohyo.bots.bot import LIFETIMES, Bot
from dohyo.bots.resolution import resolve, samples
from dohyo.bots.tools import Found, Tools

__all__ = ["LIFETIMES", "Bot", "Found", "Tools", "resolve", "samples"]
