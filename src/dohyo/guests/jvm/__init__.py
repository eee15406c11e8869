"""Java, Kotlin and Scala: `rows.py` says how they are recognised, built and started; each has a file of rules."""
