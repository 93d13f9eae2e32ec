"""The arbiter: keeps the one true position of a match between players who do not trust each other.

    clock, policy, disclosure   what time is left, what a failing seat gets, what a side may know
    tables, store, migrations   what is written down, and that it is on disk before it is said
    referee                     the rules server as the arbiter asks it
    service, seating, progress, agreement, inquiries
                                the logic of a match, free of gRPC
    limits, tls                 how much one caller may ask, and by what certificate
    calls, catalogs, server     lovat.play.v1.MatchService and the catalog on a port
"""
