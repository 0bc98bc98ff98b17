--
-- Catalog sanity: what core's opr_sanity and type_sanity check, for the members of the
-- extension.  Queries print violations, so most print nothing.
--
\t on
CREATE VIEW member AS
SELECT classid, objid FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');
CREATE VIEW function AS SELECT oid::regprocedure AS id, p.* FROM pg_proc AS p
WHERE ('pg_proc'::regclass, oid) IN (TABLE member);
CREATE VIEW operator AS SELECT oid::regoperator AS id, o.* FROM pg_operator AS o
WHERE ('pg_operator'::regclass, oid) IN (TABLE member);

-- the number of members; later versions have more: 17 the array types, 18 one for btree_skip
SELECT classid::regclass, count(*) FROM member
WHERE pg_describe_object(classid, objid, 0) !~ '^type .*\[\]$|skipsupport'
GROUP BY classid ORDER BY classid::regclass::text;
-- every object has a comment
SELECT pg_describe_object(m.classid, m.objid, 0) AS no_comment
FROM member AS m
LEFT JOIN pg_description AS d ON (d.classoid, d.objoid, d.objsubid) = (m.classid, m.objid, 0)
WHERE d.description IS NULL;

-- functions are immutable, strict, safe for parallel queries, and named like their symbols, except for these
SELECT id, provolatile, proisstrict, proparallel, procost, prosrc FROM function
WHERE (provolatile, proisstrict, proparallel, procost, prosrc) <> ('i', true, 's', 1, proname)
  AND proname !~ 'skipsupport' ORDER BY id::text COLLATE "C";
-- LEAKPROOF are those of operators and some more, which security.sql calls
SELECT id, proleakproof FROM function
WHERE proleakproof <> (oid IN (SELECT oprcode FROM operator) OR proname = ANY ('{objectid_cmp,objectid_distance,
  objectid_first_in,objectid_last_in,objectid_lower_bound,objectid_upper_bound,objectid_hash,objectid_hash_extended,
  objectid_larger,objectid_smaller,objectid_time}')) AND proname !~ 'skipsupport';
-- the planner's support functions
SELECT id, prosupport FROM function
WHERE prosupport::text <> CASE WHEN 'objectid_period'::regtype = ANY (proargtypes) THEN 'objectid_period_support'
  WHEN prorettype = 'boolean'::regtype AND proargtypes::oid[] @> '{timestamptz}'::regtype[]::oid[]
  THEN 'objectid_instant_support' ELSE '-' END;
-- the library has a plain name, so that the server finds it by dynamic_library_path
SELECT DISTINCT probin FROM function WHERE probin IS NOT NULL;
-- no function runs as its owner, has settings of its own, or has a text body, whose meaning would
-- depend on the caller's search path
SELECT id FROM function JOIN pg_language AS l ON l.oid = prolang
WHERE prosecdef OR proconfig IS NOT NULL
   OR CASE lanname WHEN 'sql' THEN prosqlbody IS NULL ELSE lanname NOT IN ('c', 'internal') END;

-- types
SELECT typlen, typbyval, typalign, typstorage, typcategory, typispreferred, typdelim,
       typarray::regtype, typinput, typoutput, typreceive, typsend
FROM pg_type WHERE oid = 'objectid'::regtype;
SELECT typbasetype::regtype, typnotnull, typdefault,
       (SELECT count(*) FROM pg_constraint WHERE contypid = t.oid) AS constraints
FROM pg_type AS t WHERE oid = 'objectid_period'::regtype;

-- operators: those without an order
SELECT id, oprcode, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin, oprcanmerge, oprcanhash
FROM operator WHERE oprname NOT IN ('<', '<=', '>=', '>') ORDER BY id::text COLLATE "C";
-- the others have what their names say
SELECT o.id FROM operator AS o LEFT JOIN pg_operator AS c ON c.oid = o.oprcom
LEFT JOIN pg_operator AS n ON n.oid = o.oprnegate
JOIN (VALUES ('<', '>', '>=', 'lt'), ('<=', '>=', '>', 'le'), ('>=', '<=', '<', 'ge'), ('>', '<', '<=', 'gt'))
  AS name(o, c, n, word) ON o.oprname = name.o
WHERE (c.oprname, n.oprname) IS DISTINCT FROM (name.c, name.n) OR o.oprcode::text !~ ('_' || word || '(_|$)')
   OR o.oprrest::text <> CASE WHEN o.oprleft = o.oprright THEN 'objectid_ineqsel' ELSE format('scalar%ssel', word) END
   OR o.oprjoin::text <> format('scalar%sjoinsel', word);

-- casts
SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod
FROM pg_cast AS c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid
ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";

-- operator classes: valid, default or not, their operators and the numbers of their support functions
SELECT amname, opcname, amvalidate(c.oid) AS valid, opcdefault AS is_default, opckeytype::regtype,
       (SELECT string_agg(amopstrategy || ' ' || oprname, ', ' ORDER BY amopstrategy)
        FROM pg_amop JOIN operator AS o ON o.oid = amopopr WHERE amopfamily = opcfamily) AS operators,
       (SELECT string_agg(amprocnum::text, ' ' ORDER BY amprocnum) FROM pg_amproc WHERE amprocfamily = opcfamily
          AND (amname, amprocnum) NOT IN (('btree', 6), ('gist', 12))) AS support  -- 18: btree_skip, gist_temporal
FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = opcmethod
WHERE ('pg_opclass'::regclass, c.oid) IN (TABLE member) ORDER BY amname, opcname;
-- aggregates: combine in parallel, and have a sort operator for an index
SELECT a.aggfnoid::regprocedure, aggtransfn, aggcombinefn, aggsortop::regoperator, aggtranstype::regtype, agginitval
FROM pg_aggregate AS a JOIN function AS p ON p.oid = a.aggfnoid ORDER BY a.aggfnoid::text COLLATE "C";

--
-- objectid has everything in the catalogs that uuid has: in core, and in btree_gist and btree_gin
-- if these are installed.
--
SET client_min_messages = warning;
DO $$
DECLARE
  name text;
BEGIN
  FOR name IN SELECT e.name FROM pg_available_extensions AS e WHERE e.name IN ('btree_gist', 'btree_gin') LOOP
    EXECUTE 'CREATE EXTENSION ' || name;
  END LOOP;
END$$;
CREATE FUNCTION face(t regtype) RETURNS TABLE (fact text) LANGUAGE sql AS $$
  WITH class AS (
    SELECT amname, c.* FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = opcmethod WHERE opcintype = t
  )
  -- its operator classes, and their names if there are several
  SELECT format('%s: class %s', amname, CASE WHEN opcdefault THEN '(default)' ELSE replace(opcname, t::text, 'T') END)
  FROM class
  UNION ALL  -- the support functions of the default ones (GiST's decompress is optional)
  SELECT format('%s: support function %s', amname, amprocnum) FROM class JOIN pg_amproc ON amprocfamily = opcfamily
  WHERE opcdefault AND amproclefttype = t AND amprocrighttype = t AND (amname, amprocnum) <> ('gist', 4)
  UNION ALL  -- the operators in all of them
  SELECT format('%s: operator %s', amname, oprname)
  FROM class JOIN pg_amop ON amopfamily = opcfamily AND amoplefttype = t AND amoprighttype = t
  JOIN pg_operator AS o ON o.oid = amopopr
  UNION ALL  -- attributes of the operators and their functions
  SELECT format('%s: %s', o.oprname, v)
  FROM pg_operator AS o JOIN pg_proc AS p ON p.oid = o.oprcode
  LEFT JOIN pg_operator AS c ON c.oid = o.oprcom LEFT JOIN pg_operator AS n ON n.oid = o.oprnegate,
  LATERAL (VALUES ('merges ' || o.oprcanmerge), ('hashes ' || o.oprcanhash), ('restrict ' || o.oprrest::text),
                  ('join ' || o.oprjoin::text), ('commutator ' || c.oprname), ('negator ' || n.oprname),
                  ('leakproof ' || proleakproof), ('volatile ' || provolatile::text), ('strict ' || proisstrict),
                  ('parallel ' || proparallel::text)) AS attribute(v)
  WHERE o.oprleft = t AND o.oprright = t
  UNION ALL  -- attributes of the type
  SELECT v
  FROM pg_type, LATERAL (VALUES ('align ' || typalign::text), ('storage ' || typstorage::text),
                                ('receive ' || (typreceive <> 0)), ('send ' || (typsend <> 0)),
                                ('array ' || (typarray <> 0))) AS attribute(v)
  WHERE oid = t
$$;
SELECT count(*) > 50 AS facts FROM face('uuid');
-- except for the estimators, which are better for objectid
SELECT fact AS not_like_uuid
FROM (SELECT fact FROM face('uuid') EXCEPT SELECT fact FROM face('objectid')) AS missing ORDER BY fact COLLATE "C";
DROP FUNCTION face; DROP EXTENSION IF EXISTS btree_gist; DROP EXTENSION IF EXISTS btree_gin;
DROP VIEW function, operator, member;
