"""A table in the browser: `kitchentable serve`.

`app` has the addresses, `access` says who may come in, `seats` who may sit down. `tables` are the
games being played; `player_threads` lets players move at them, `store` keeps them on disk,
`replays` are games that somebody sends. `views` is what a browser is told, `thoughts` what a player
thinks. `result_index` finds results, and `result_pages` shows them. `slow_work` keeps what takes
minutes from the server's own threads. The browser's side is in ``static`` and ``templates``.
"""
