"""Tests of `dohyo.guests.dotnet`."""
