# For the upgrade tests: the catalog entries of the extension, as text to compare.
package Definition;
use strict;
use warnings FATAL => 'all';
use Exporter qw(import);

our @EXPORT = qw(definition);

# The definition of the extension in a database: one line for each member and for each
# entry of its operator families, with everything that a script can define, but without
# OIDs.
sub definition
{
	my ($node, $database) = @_;
	return $node->safe_psql(
		$database, q{
BEGIN;
SET LOCAL search_path = pg_catalog;
CREATE TEMP VIEW member AS
  SELECT classid, objid, 0 AS objsubid FROM pg_depend
  WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e' AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'objectid');
CREATE TEMP VIEW entry AS
  SELECT amopfamily AS family, 'operator' AS kind, amopstrategy AS number, amopopr::regoperator::text AS what, amoplefttype AS l, amoprighttype AS r,
         concat_ws(' ', amoppurpose, amopsortfamily) AS detail, 'pg_operator'::regclass AS classid, amopopr AS objid FROM pg_amop
  UNION ALL
  SELECT amprocfamily, 'function', amprocnum, amproc::regprocedure::text, amproclefttype, amprocrighttype, '', 'pg_proc'::regclass, amproc FROM pg_amproc;
SELECT replace(fact, E'\n', ' ') FROM (
  SELECT 'extension: ' || concat_ws(' ', extnamespace::regnamespace, extrelocatable, extversion, extconfig, extcondition) FROM pg_extension WHERE extname = 'objectid'
  UNION ALL
  SELECT 'member: ' || pg_describe_object(classid, objid, 0) || ': ' || coalesce(obj_description(objid, classid::regclass::text), 'no comment') FROM member
  UNION ALL
  SELECT 'function: ' || CASE WHEN prokind = 'a' THEN oid::regprocedure::text ELSE pg_get_functiondef(oid) END || concat_ws(' ', ' ', prosrc, probin, proacl)
  FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = oid
  UNION ALL
  SELECT concat_ws(' ', 'aggregate:', aggfnoid::regprocedure, aggkind, aggnumdirectargs, aggtransfn, aggfinalfn, aggcombinefn, aggserialfn, aggdeserialfn,
                   aggmtransfn, aggminvtransfn, aggmfinalfn, aggfinalextra, aggmfinalextra, aggfinalmodify, aggmfinalmodify, aggsortop::regoperator,
                   aggtranstype::regtype, aggtransspace, aggmtranstype::regtype, aggmtransspace, agginitval, aggminitval, proparallel)
  FROM pg_aggregate JOIN pg_proc AS p ON p.oid = aggfnoid JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
  UNION ALL
  SELECT concat_ws(' ', 'type:', oid::regtype, typlen, typbyval, typtype, typcategory, typispreferred, typisdefined, typdelim, typelem::regtype, typarray::regtype,
                   typsubscript, typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze, typalign, typstorage, typnotnull,
                   typbasetype, typtypmod, typcollation, typdefault, typacl)
  FROM pg_type JOIN member ON classid = 'pg_type'::regclass AND objid = oid
  UNION ALL
  SELECT concat_ws(' ', 'operator:', oid::regoperator, oprkind, oprcanmerge, oprcanhash, oprresult::regtype, oprcom::regoperator, oprnegate::regoperator,
                   oprcode, oprrest, oprjoin)
  FROM pg_operator JOIN member ON classid = 'pg_operator'::regclass AND objid = oid
  UNION ALL
  SELECT concat_ws(' ', 'cast:', castsource::regtype, casttarget::regtype, castfunc::regprocedure, castcontext, castmethod)
  FROM pg_cast JOIN member ON classid = 'pg_cast'::regclass AND objid = oid
  UNION ALL
  SELECT concat_ws(' ', 'class:', amname, opcnamespace::regnamespace, opcname, pg_describe_object('pg_opfamily'::regclass, opcfamily, 0),
                   opcintype::regtype, opcdefault, opckeytype::regtype)
  FROM pg_opclass AS c JOIN pg_am AS am ON am.oid = opcmethod JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid
  UNION ALL
  -- what does not belong to the bootstrap superuser, as its objects leave no trace there
  SELECT concat_ws(' ', 'owner:', pg_describe_object(classid, objid, 0), refobjid::regrole) FROM pg_shdepend JOIN member USING (classid, objid)
  WHERE deptype = 'o' AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
  UNION ALL
  SELECT concat_ws(' ', 'depends:', pg_describe_object(classid, objid, 0), pg_describe_object(refclassid, refobjid, 0)) FROM pg_depend JOIN member USING (classid, objid)
  WHERE deptype = 'x'
  UNION ALL
  -- in the extension's operator families, or of its own in others'
  SELECT concat_ws(' ', pg_describe_object('pg_opfamily'::regclass, family, 0) || ':', kind, number, what, l::regtype, r::regtype, detail)
  FROM entry
  WHERE ('pg_opfamily'::regclass, family) IN (SELECT classid, objid FROM member) OR (classid, objid) IN (SELECT classid, objid FROM member)
     OR 'pg_type'::regclass::oid IN (SELECT m.classid FROM member AS m WHERE m.objid IN (l, r))
) AS facts (fact) ORDER BY fact COLLATE "C";
ROLLBACK;
});
}

1;
