"""The server for playing in the browser: `kitchentable serve`.

`app` has the routes, `access` controls access, `seats` has the players that may take part. `tables`
has the running games; `player_threads` lets players move, `store` saves the games, `replays` reads
games that browsers send. `views` has what a browser is shown, `thoughts` the evaluations of
players. `results` has the pages of results. `slow_work` keeps slow work off the server's own
threads. The browser's code is in ``static`` and ``templates``.
"""
