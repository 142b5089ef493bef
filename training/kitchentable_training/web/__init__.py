"""A table in the browser: `kitchentable serve`.

`app` has the addresses, `access` says who may come in, `tables` are the games being played and
`stage` lets players move at them, `store` keeps them on disk, `seats` says who may sit down,
`views` what a browser is told, `thoughts` what a player thinks, `positions` are games in a link,
`results` are the pages of reports. The browser's side is in ``static`` and ``templates``.
"""
