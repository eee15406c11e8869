"""A contest site: people hand in bots in a browser, see them checked, and climb a ladder. `dohyo serve`.

`command.py` is the command, `folder.py` what lies in a site's folder, `tables.py` its database. `people/`,
`groups/` (classes of students) and `arena/` are what is kept there. `judging/` is a process of its own, which checks
hand-ins and plays the ladders. `application.py` puts the server together: `pages/` answers people, `api/` programs,
and `edge/` says who asks, what a page may do, and how long anybody is waited for.
`templates/` and `static/` are what people see. `upkeep/` is for whoever runs it, `steps/` for older sites.
"""
