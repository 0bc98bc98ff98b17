-- the definition of the relation $1, if it is a view, a number that changes with it, and its name
SELECT pg_get_viewdef(c.oid), hashtextextended(concat(ev_action, reloptions), 0), c.oid::regclass
FROM pg_class AS c LEFT JOIN pg_rewrite ON ev_class = c.oid AND rulename = '_RETURN'
WHERE c.oid = $1
