"""A contest site: people hand in bots in a browser, see them checked, and climb a ladder. `dohyo serve`.

`command.py` is the command, `folder.py` what lies in a site's folder, `tables.py` its database. `people.py`,
`ladders.py` and `hand_ins.py` are what is kept there, and `limits.py` how often somebody may try. `judge.py` is a
process of its own (`judge_process.py`), which checks hand-ins (`examine.py`) and plays the ladders; `live.py` is a
match turn by turn while it is played. `groups/` are classes of students.
`application.py` puts the server together: `pages/` answers requests,
`asking.py` says who asks, `security.py` what a page may do, `patience.py` how long anybody is waited for.
`templates/` and `static/` are what people see. `upkeep/` is for whoever runs it: copies, figures, the log.
"""
