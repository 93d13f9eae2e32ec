"""Tournaments: many games between bots, none of which can stop the rest.

    terms, pairings, schedule   what is to be played; pure functions of the terms and the results
    ratings, summary            what the results say; pure too
    frames                      messages between processes
    bot_host, bot_process       a bot in a process of its own: time, memory and size are limited
    questions                   what such a bot asks before it answers
    game, lane                  one game, and a rules server with games played on it one by one
    local_pool, dask_pool       games on the processors of this machine, or on a Dask cluster
    tables, store, run          results as they are written down, and the whole tournament
    plots, report, csv_files    the report, as one HTML file and as CSV

The run is the only one that writes results: a game is finished when its row is committed, and a
row is only ever added. A run that was killed goes on where the last row was; games that were
being played then are played again from their start.
"""
