--
-- Catalog sanity: what core's opr_sanity and type_sanity check, for the members of the
-- extension.  Queries print violations, so most print nothing.
--
CREATE VIEW member AS
SELECT classid, objid FROM pg_depend
WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
  AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');

-- all members of the extension
SELECT pg_describe_object(classid, objid, 0) AS object, obj_description(objid, classid::regclass::name) AS comment
FROM member
WHERE (classid <> 'pg_type'::regclass
       OR objid NOT IN ('objectid[]'::regtype, 'objectid_period[]'::regtype))  -- members in 17 and newer
  AND pg_describe_object(classid, objid, 0) !~ 'skipsupport'  -- 18: tested in btree_skip
ORDER BY pg_describe_object(classid, objid, 0) COLLATE "C";

-- every object has a comment
SELECT pg_describe_object(m.classid, m.objid, 0) AS no_comment
FROM member AS m
LEFT JOIN pg_description AS d ON (d.classoid, d.objoid, d.objsubid) = (m.classid, m.objid, 0)
WHERE d.description IS NULL;

-- attributes of each function
SELECT p.oid::regprocedure AS function,
       CASE provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END AS volatility,
       proisstrict AS strict, proleakproof AS leakproof, proparallel AS parallel, procost AS cost, prosrc AS symbol,
       CASE WHEN prosupport <> 0 THEN prosupport END AS support, prorettype::regtype AS result
FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
  AND proname !~ 'skipsupport'
ORDER BY p.oid::regprocedure::text COLLATE "C";

-- the library has a plain name, so that the server finds it by dynamic_library_path
SELECT DISTINCT probin FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE probin IS NOT NULL;
-- no function runs as its owner, has settings of its own, or has a text body, whose meaning would
-- depend on the caller's search path
SELECT p.oid::regprocedure AS function
FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
JOIN pg_language AS l ON l.oid = prolang
WHERE prosecdef OR proconfig IS NOT NULL
   OR CASE lanname WHEN 'sql' THEN prosqlbody IS NULL ELSE lanname NOT IN ('c', 'internal') END;

-- type
SELECT typlen, typbyval, typalign, typstorage, typcategory, typispreferred, typdelim,
       typarray::regtype, typinput, typoutput, typreceive, typsend
FROM pg_type WHERE oid = 'objectid'::regtype;
SELECT typbasetype::regtype, typnotnull, typdefault,
       (SELECT count(*) FROM pg_constraint WHERE contypid = t.oid) AS constraints
FROM pg_type AS t WHERE oid = 'objectid_period'::regtype;
-- an I/O function has the right argument and result, is strict and immutable
SELECT p.oid::regprocedure
FROM pg_type AS t JOIN pg_proc AS p ON p.oid IN (typinput, typoutput, typreceive, typsend)
WHERE t.oid = 'objectid'::regtype
  AND (provolatile <> 'i' OR NOT proisstrict OR proretset OR
       CASE p.oid WHEN typinput THEN (prorettype, proargtypes[0]) <> (t.oid, 'cstring'::regtype)
                  WHEN typoutput THEN (prorettype, proargtypes[0]) <> ('cstring'::regtype, t.oid)
                  WHEN typreceive THEN (prorettype, proargtypes[0]) <> (t.oid, 'internal'::regtype)
                  WHEN typsend THEN (prorettype, proargtypes[0]) <> ('bytea'::regtype, t.oid) END);

-- operators
SELECT o.oid::regoperator AS operator, oprcode, oprcom::regoperator AS commutator, oprnegate::regoperator AS negator,
       oprrest AS restrict, oprjoin AS join, oprcanmerge AS merges, oprcanhash AS hashes
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
ORDER BY o.oid::regoperator::text COLLATE "C";
-- result, arguments and estimators
SELECT o.oid::regoperator
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
LEFT JOIN pg_proc AS p ON p.oid = oprcode
WHERE p.oid IS NULL OR oprresult <> prorettype OR oprkind <> 'b'
   OR oprleft <> proargtypes[0] OR oprright <> proargtypes[1] OR oprrest = 0 OR oprjoin = 0;
-- a commutator is mutual and takes the arguments swapped; <@ has none
SELECT o.oid::regoperator, c.oid::regoperator
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
LEFT JOIN pg_operator AS c ON c.oid = o.oprcom
WHERE c.oid IS NULL AND o.oprname <> '<@' OR o.oprleft <> c.oprright OR o.oprright <> c.oprleft OR c.oprcom <> o.oid;
-- a negator is mutual, takes the same arguments, and is a different operator
SELECT o.oid::regoperator, n.oid::regoperator
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
LEFT JOIN pg_operator AS n ON n.oid = o.oprnegate
WHERE n.oid IS NULL AND o.oprname <> '<@' OR o.oprleft <> n.oprleft OR o.oprright <> n.oprright
   OR n.oprnegate <> o.oid OR o.oid = n.oid;
-- operators that are linked as commutators or negators have the same attributes
SELECT o.oid::regoperator, x.oid::regoperator
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
JOIN pg_operator AS x ON x.oid IN (o.oprcom, o.oprnegate)
JOIN pg_proc AS p ON p.oid = o.oprcode JOIN pg_proc AS q ON q.oid = x.oprcode
WHERE (p.provolatile, p.proleakproof, p.proisstrict, p.proparallel)
  <> (q.provolatile, q.proleakproof, q.proisstrict, q.proparallel);
-- MERGES and HASHES are backed by operator families
SELECT o.oid::regoperator
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
WHERE oprcanmerge <> EXISTS (SELECT FROM pg_amop JOIN pg_am AS am ON am.oid = amopmethod
                             WHERE amopopr = o.oid AND amname = 'btree' AND amopstrategy = 3)
   OR oprcanhash <> EXISTS (SELECT FROM pg_amop JOIN pg_am AS am ON am.oid = amopmethod
                            WHERE amopopr = o.oid AND amname = 'hash' AND amopstrategy = 1);

-- casts
SELECT castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod
FROM pg_cast AS c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid
ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";
-- the function converts the source type to the target type
SELECT castsource::regtype, casttarget::regtype
FROM pg_cast AS c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid
LEFT JOIN pg_proc AS p ON p.oid = castfunc
WHERE CASE castmethod
        WHEN 'f' THEN (proargtypes[0], prorettype, pronargs, provolatile) <> (castsource, casttarget, 1, 'i')
        ELSE castfunc <> 0 END
   OR castcontext = 'i';

-- operator classes: valid, default or not, and their support functions
SELECT amname, opcname, amvalidate(c.oid) AS valid, opcdefault AS is_default, opckeytype::regtype
FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = opcmethod
JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid
ORDER BY amname, opcname;
SELECT amname, opfname, amopstrategy, amopopr::regoperator
FROM pg_amop JOIN pg_opfamily AS f ON f.oid = amopfamily JOIN pg_am AS am ON am.oid = opfmethod
JOIN member ON classid = 'pg_opfamily'::regclass AND objid = f.oid
ORDER BY amname, opfname, amopstrategy;
SELECT amname, opfname, amprocnum, amproc::regprocedure, amproclefttype::regtype, amprocrighttype::regtype
FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS am ON am.oid = opfmethod
JOIN member ON classid = 'pg_opfamily'::regclass AND objid = f.oid
WHERE (amname, amprocnum) NOT IN (('btree', 6), ('gist', 12))  -- 18: tested in btree_skip and gist_temporal
ORDER BY amname, opfname, amprocnum;

-- aggregates: combine in parallel, and have a sort operator for an index
SELECT a.aggfnoid::regprocedure, aggtransfn, aggcombinefn, aggsortop::regoperator, aggtranstype::regtype, agginitval
FROM pg_aggregate AS a JOIN member ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
ORDER BY a.aggfnoid::regprocedure::text COLLATE "C";
SELECT a.aggfnoid::regprocedure
FROM pg_aggregate AS a JOIN member ON classid = 'pg_proc'::regclass AND objid = a.aggfnoid
WHERE NOT EXISTS (SELECT FROM pg_amop WHERE amopopr = aggsortop AND amopstrategy IN (1, 5));

-- functions with the same C symbol differ only in their names
SELECT p.oid::regprocedure, q.oid::regprocedure
FROM pg_proc AS p JOIN pg_proc AS q ON p.oid < q.oid AND p.prosrc = q.prosrc AND p.probin = q.probin
JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE (p.prolang, p.provolatile, p.proisstrict, p.proparallel, p.prorettype, p.proargtypes)
   <> (q.prolang, q.provolatile, q.proisstrict, q.proparallel, q.prorettype, q.proargtypes);

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
DROP FUNCTION face;
DROP EXTENSION IF EXISTS btree_gist;
DROP EXTENSION IF EXISTS btree_gin;
DROP VIEW member;
