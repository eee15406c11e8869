"""The forms in which `dohyo contest export` writes a contest for other programs: tables, JSON, PGN, games for ordo.

`command.py` writes each of them. Most are texts made of pieces, by `texts.py` and `dohyo.series.exports`;
`parquet.py` writes a table with types.
"""
