"""C# and programs for .NET: `rows.py` says how they are recognised, built and started."""
