/*-------------------------------------------------------------------------
 *
 * objectid_time.c
 *	  Ids and time: the second of an id, boundaries, comparison with instants
 *	  and periods, and what the planner puts in place of these comparisons.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"
#include "objectid_compat.h"

#include "access/stratnum.h"
#include "catalog/pg_namespace.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/plancat.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rangetypes.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/*-------------------------------------------------------------------------
 * The second of an id, and the first id of a second
 *-------------------------------------------------------------------------
 */

/*
 * objectid_time - the creation time of an id
 *
 * The seconds are unsigned, as in MongoDB's specification: 1970-01-01
 * 00:00:00 UTC to 2106-02-07 06:28:15 UTC. Every id has a time.
 */
PG_FUNCTION_INFO_V1(objectid_time);
Datum
objectid_time(PG_FUNCTION_ARGS)
{
	PG_RETURN_TIMESTAMPTZ(objectid_get_timestamptz(PG_GETARG_OBJECTID_P(0)));
}

/*
 * objectid_from_time - the smallest id of the second that contains an instant
 *
 * A boundary for comparisons, not a new id: the same instant always gives the
 * same id.  This function is for users.  Unlike the internal bounds below it
 * rounds down, and raises 22008 for an instant outside the range of the type.
 */
PG_FUNCTION_INFO_V1(objectid_from_time);
Datum
objectid_from_time(PG_FUNCTION_ARGS)
{
	TimestampTz instant = PG_GETARG_TIMESTAMPTZ(0);
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set(id, objectid_seconds_from_timestamptz(instant), 0);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_set_upper_bound - the first id after the second of an instant
 *
 * Accepts every instant.  Before 1970 the result is the smallest id.  From
 * 2106-02-07 06:28:15 UTC on there is no later id, so the result is the
 * greatest id.  This one id therefore compares as later than any such instant.
 */
static void
objectid_set_upper_bound(objectid_t *id, TimestampTz instant)
{
	int64		seconds = objectid_floor_timestamptz(instant) + 1;

	if (seconds > PG_UINT32_MAX)
		objectid_set(id, PG_UINT32_MAX, PG_UINT64_MAX);
	else
		objectid_set(id, (uint32) Max(seconds, 0), 0);
}

/*
 * objectid_set_lower_bound - the first id that is not before an instant
 *
 * Accepts every instant, like objectid_set_upper_bound().
 */
static void
objectid_set_lower_bound(objectid_t *id, TimestampTz instant)
{
	/* the upper bound of the previous microsecond; -infinity has none */
	objectid_set_upper_bound(id, TIMESTAMP_IS_NOBEGIN(instant) ? instant : instant - 1);
}

/*
 * objectid_lower_bound - the smallest id whose second is not before an instant
 *
 * The boundary of "id >= instant" and "id < instant".  Unlike
 * objectid_from_time() it rounds up and accepts every instant.
 */
PG_FUNCTION_INFO_V1(objectid_lower_bound);
Datum
objectid_lower_bound(PG_FUNCTION_ARGS)
{
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set_lower_bound(id, PG_GETARG_TIMESTAMPTZ(0));

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_upper_bound - the smallest id whose second is after an instant
 *
 * The boundary of "id > instant" and "id <= instant".
 */
PG_FUNCTION_INFO_V1(objectid_upper_bound);
Datum
objectid_upper_bound(PG_FUNCTION_ARGS)
{
	objectid_t *id = palloc(sizeof(objectid_t));

	objectid_set_upper_bound(id, PG_GETARG_TIMESTAMPTZ(0));

	PG_RETURN_OBJECTID_P(id);
}

/*-------------------------------------------------------------------------
 * Instants: comparison of objectid and timestamptz
 *
 * The planner replaces calls of these functions with comparisons of ids if it
 * can: see "Planner support" below.  If called, they compare with the same
 * boundaries.  A function with the id on the right gives the result of its
 * commutator.
 *-------------------------------------------------------------------------
 */

static inline bool
is_before_instant(const objectid_t *id, TimestampTz instant)
{
	objectid_t	boundary;

	objectid_set_lower_bound(&boundary, instant);

	return objectid_internal_cmp(id, &boundary) < 0;
}

static inline bool
is_after_instant(const objectid_t *id, TimestampTz instant)
{
	objectid_t	boundary;

	objectid_set_upper_bound(&boundary, instant);

	return objectid_internal_cmp(id, &boundary) >= 0;
}

/* the declaration at its end takes the semicolon */
#define COMPARE_INSTANT(function, id, instant, result) \
PG_FUNCTION_INFO_V1(function); \
Datum \
function(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_BOOL(result(PG_GETARG_OBJECTID_P(id), PG_GETARG_TIMESTAMPTZ(instant))); \
} \
extern Datum function(PG_FUNCTION_ARGS)

COMPARE_INSTANT(objectid_lt_timestamptz, 0, 1, is_before_instant);
COMPARE_INSTANT(objectid_le_timestamptz, 0, 1, !is_after_instant);
COMPARE_INSTANT(objectid_ge_timestamptz, 0, 1, !is_before_instant);
COMPARE_INSTANT(objectid_gt_timestamptz, 0, 1, is_after_instant);
COMPARE_INSTANT(timestamptz_lt_objectid, 1, 0, is_after_instant);
COMPARE_INSTANT(timestamptz_le_objectid, 1, 0, !is_before_instant);
COMPARE_INSTANT(timestamptz_ge_objectid, 1, 0, !is_after_instant);
COMPARE_INSTANT(timestamptz_gt_objectid, 1, 0, is_before_instant);

/*-------------------------------------------------------------------------
 * Periods: comparison of objectid and tstzrange
 *-------------------------------------------------------------------------
 */

/*
 * get_period_bound - the first or the last id whose second is in a range
 *
 * If the range contains no id, the first one is the greatest id and the last one the
 * smallest, so that no id lies between them.
 */
static Datum
get_period_bound(FunctionCallInfo fcinfo, bool last)
{
	RangeType  *period = PG_GETARG_RANGE_P(0);
	objectid_t *id = palloc(sizeof(objectid_t));
	RangeBound	lower;
	RangeBound	upper;
	bool		empty;
	int64		first_second = 0;
	int64		last_second = PG_UINT32_MAX;

	range_deserialize(range_get_typcache(fcinfo, RangeTypeGetOid(period)), period,
					  &lower, &upper, &empty);

	/* an empty range has no bounds */
	if (!empty && !lower.infinite)
	{
		TimestampTz instant = DatumGetTimestampTz(lower.val);

		/* the second after the last instant that is outside */
		if (lower.inclusive && !TIMESTAMP_IS_NOBEGIN(instant))
			instant--;
		first_second = Max(first_second, objectid_floor_timestamptz(instant) + 1);
	}
	if (!empty && !upper.infinite)
	{
		TimestampTz instant = DatumGetTimestampTz(upper.val);

		/* the second of the last instant that is inside */
		if (!upper.inclusive && !TIMESTAMP_IS_NOBEGIN(instant))
			instant--;
		last_second = Min(last_second, objectid_floor_timestamptz(instant));
	}

	if (empty || first_second > last_second)
	{
		first_second = 0;
		last_second = PG_UINT32_MAX;
		last = !last;
	}
	objectid_set(id, (uint32) (last ? last_second : first_second), last ? PG_UINT64_MAX : 0);

	PG_RETURN_OBJECTID_P(id);
}

/*
 * objectid_first_in, objectid_last_in - the first and the last id of a period
 *
 * They accept every range.  Both bounds are inclusive, unlike those of
 * objectid_lower_bound() and objectid_upper_bound(), so that even the
 * greatest id compares correctly.
 */
PG_FUNCTION_INFO_V1(objectid_first_in);
Datum
objectid_first_in(PG_FUNCTION_ARGS)
{
	return get_period_bound(fcinfo, false);
}

PG_FUNCTION_INFO_V1(objectid_last_in);
Datum
objectid_last_in(PG_FUNCTION_ARGS)
{
	return get_period_bound(fcinfo, true);
}

/*
 * objectid_contained_by_period - id <@ period: is the second of the id in the range?
 */
PG_FUNCTION_INFO_V1(objectid_contained_by_period);
Datum
objectid_contained_by_period(PG_FUNCTION_ARGS)
{
	TimestampTz second = objectid_get_timestamptz(PG_GETARG_OBJECTID_P(0));
	RangeType  *period = PG_GETARG_RANGE_P(1);

	PG_RETURN_BOOL(range_contains_elem_internal(range_get_typcache(fcinfo, RangeTypeGetOid(period)),
												period, TimestampTzGetDatum(second)));
}

/*-------------------------------------------------------------------------
 * Planner support
 *
 * "id OP instant" becomes a comparison of ids, "id OP boundary".  So everything
 * that works for comparisons of ids works here: indexes, partition pruning,
 * estimates.  "id <@ period" becomes such comparisons if the id is a column and
 * the period has no column, volatile function or subquery.  Otherwise it stays,
 * so that a row evaluates the period once, and gives conditions to indexes of
 * either side.
 *
 * The request's query can be missing, or be an outer one.  So these functions do
 * not look up columns and tables in it.
 *-------------------------------------------------------------------------
 */

/*
 * make_comparison - build "id OP boundary" from the btree strategy of OP
 */
static Expr *
make_comparison(Node *id, StrategyNumber strategy, Node *boundary)
{
	Oid			type = exprType(id);
	Oid			opfamily = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
	Expr	   *result;

	result = make_opclause(get_opfamily_member(opfamily, type, type, strategy),
						   BOOLOID, false, (Expr *) id, (Expr *) boundary,
						   InvalidOid, InvalidOid);
	set_opfuncid((OpExpr *) result);

	return result;
}

/*
 * is_known - is this a constant other than null?
 */
static bool
is_known(const Node *node)
{
	return IsA(node, Const) && !((const Const *) node)->constisnull;
}

/*
 * is_id - is this a constant of this value?
 */
static bool
is_id(const Node *node, uint32 seconds, uint64 serial)
{
	const objectid_t *id;

	if (!is_known(node))
		return false;
	id = DatumGetObjectidP(((const Const *) node)->constvalue);

	return objectid_get_seconds(id) == seconds && objectid_get_serial(id) == serial;
}

/*
 * make_call_of - build a call of the extension's function "name(argument)"
 *
 * For a constant, builds the result, which core would need the executor for.  The function
 * is in pg_catalog, where only superusers can replace or move it.  Returns NULL if one
 * has: the function must call "code".
 */
static Node *
make_call_of(PGFunction code, const char *name, Oid argtype, Node *argument, Oid type)
{
	Oid			function;
	FmgrInfo	info;
	int16		typlen;
	bool		typbyval;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name),
							   PointerGetDatum(buildoidvector(&argtype, 1)),
							   ObjectIdGetDatum(PG_CATALOG_NAMESPACE));
	if (!OidIsValid(function) || get_func_prokind(function) != PROKIND_FUNCTION)
		return NULL;
	fmgr_info(function, &info);
	if (info.fn_addr != code)
		return NULL;

	if (is_known(argument))
	{
		get_typlenbyval(type, &typlen, &typbyval);
		return (Node *) makeConst(type, -1, InvalidOid, typlen,
								  FunctionCall1(&info, ((Const *) argument)->constvalue),
								  false, typbyval);
	}

	return (Node *) makeFuncExpr(function, type, list_make1(argument),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

#define make_call(function, ...) make_call_of(function, #function, __VA_ARGS__)

/*
 * The functions that compare with an instant, and the comparison of ids in their
 * place: with the first id after the second of the instant if "upper" is true, else
 * with the first id not before it.
 */
static const struct InstantComparison
{
	PGFunction	function;
	bool		id_is_first;
	StrategyNumber strategy;
	bool		upper;
}			instant_comparisons[] =

{
	{objectid_lt_timestamptz, true, BTLessStrategyNumber, false},
	{objectid_le_timestamptz, true, BTLessStrategyNumber, true},
	{objectid_ge_timestamptz, true, BTGreaterEqualStrategyNumber, false},
	{objectid_gt_timestamptz, true, BTGreaterEqualStrategyNumber, true},
	{timestamptz_lt_objectid, false, BTGreaterEqualStrategyNumber, true},
	{timestamptz_le_objectid, false, BTGreaterEqualStrategyNumber, false},
	{timestamptz_ge_objectid, false, BTLessStrategyNumber, true},
	{timestamptz_gt_objectid, false, BTLessStrategyNumber, false},
};

/*
 * simplify_instant - replace a call of one of these functions, or return NULL
 */
static Expr *
simplify_instant(const FuncExpr *call, const struct InstantComparison *comparison)
{
	Node	   *id = comparison->id_is_first ? linitial(call->args) : lsecond(call->args);
	Node	   *instant = comparison->id_is_first ? lsecond(call->args) : linitial(call->args);
	Node	   *boundary;

	boundary = comparison->upper ?
		make_call(objectid_upper_bound, TIMESTAMPTZOID, instant, exprType(id)) :
		make_call(objectid_lower_bound, TIMESTAMPTZOID, instant, exprType(id));

	return boundary != NULL ? make_comparison(id, comparison->strategy, boundary) : NULL;
}

/*
 * objectid_instant_support - planner support for id OP instant and instant OP id
 */
PG_FUNCTION_INFO_V1(objectid_instant_support);
Datum
objectid_instant_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	FmgrInfo	info;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = ((SupportRequestSimplify *) request)->fcall;
	fmgr_info(call->funcid, &info);
	for (int i = 0; i < (int) lengthof(instant_comparisons); i++)
		if (info.fn_addr == instant_comparisons[i].function)
			PG_RETURN_POINTER(simplify_instant(call, &instant_comparisons[i]));

	PG_RETURN_POINTER(NULL);
}

/*
 * make_period_bounds - build "id >= first id of the period" and "id <= last ..."
 *
 * Omits the bound of an open end of a constant.  Returns NIL if the bounds
 * cannot be built.
 */
static List *
make_period_bounds(Node *id, Node *period)
{
	Oid			type = exprType(id);
	Node	   *first;
	Node	   *last;
	List	   *bounds = NIL;

	/* the period occurs twice; that is not possible with a subplan */
	if (contain_subplans(period))
		return NIL;
	first = make_call(objectid_first_in, TSTZRANGEOID, period, type);
	last = make_call(objectid_last_in, TSTZRANGEOID, copyObject(period), type);
	if (first == NULL || last == NULL)
		return NIL;

	/* "(,)" keeps one bound, because the result for a null is null */
	if (is_id(last, PG_UINT32_MAX, PG_UINT64_MAX))
		last = NULL;
	else if (is_id(first, 0, 0))
		first = NULL;

	if (first != NULL)
		bounds = lappend(bounds, make_comparison(id, BTGreaterEqualStrategyNumber, first));
	if (last != NULL)
		bounds = lappend(bounds, make_comparison(copyObject(id), BTLessEqualStrategyNumber, last));

	return bounds;
}

/*
 * get_period - a period as a tstzrange: core looks up ranges and functions by their base type
 */
static Node *
get_period(List *args)
{
	return applyRelabelType(lsecond(args), TSTZRANGEOID, -1, InvalidOid,
							COERCE_IMPLICIT_CAST, -1, false);
}

/*
 * simplify_period - replace "id <@ period" with comparisons, or return NULL
 *
 * Both ends contain the period.  So it has no column, not even an outer one: periods in
 * periods would double with each level.
 */
static Node *
simplify_period(const SupportRequestSimplify *request)
{
	Node	   *id = linitial(request->fcall->args);
	Node	   *period = get_period(request->fcall->args);
	Node	   *column = IsA(id, RelabelType) ? (Node *) ((RelabelType *) id)->arg : id;
	List	   *bounds;

	if (!IsA(column, Var) || has_grouped_condition(request->root))
		return NULL;
	if (!is_known(period) &&
		(((Var *) column)->varlevelsup > 0 || contain_var_clause(period) ||
		 contain_volatile_functions(period)))
		return NULL;

	bounds = make_period_bounds(id, period);

	return bounds != NIL ? (Node *) make_ands_explicit(bounds) : NULL;
}

/*
 * make_containment - build core's "period @> instant" for "id <@ period"
 *
 * Returns NULL for other types: anyone can use the estimator below for any operator.
 */
static Expr *
make_containment(List *args)
{
	Node	   *id = linitial(args);
	Node	   *instant;

	if (list_length(args) != 2 || getBaseType(exprType(lsecond(args))) != TSTZRANGEOID)
		return NULL;
	instant = make_call(objectid_time, getBaseType(exprType(id)), id, TIMESTAMPTZOID);
	if (instant == NULL)
		return NULL;

	return make_opclause(OID_RANGE_CONTAINS_ELEM_OP, BOOLOID, false,
						 (Expr *) get_period(args), (Expr *) instant, InvalidOid, InvalidOid);
}

/*
 * period_index_conditions - conditions for an index, which are equivalent to
 * "id <@ period", or NIL
 *
 * For an index of the id: the comparisons.  For an index of the period, such
 * as GiST's: core's "period @> instant".  Core has checked that the other side
 * is not volatile and has no column of the index's table.
 */
static List *
period_index_conditions(SupportRequestIndexCondition *request)
{
	List	   *args = IsA(request->node, OpExpr) ? ((OpExpr *) request->node)->args : NIL;
	List	   *conditions = NIL;
	Expr	   *containment;
	ListCell   *lc;

	if (args != NIL && request->indexarg == 0)
		conditions = make_period_bounds(linitial(args), get_period(args));
	else if (args != NIL && (containment = make_containment(args)) != NULL)
		conditions = list_make1(containment);

	foreach(lc, conditions)
	{
		if (!op_in_opfamily(((OpExpr *) lfirst(lc))->opno, request->opfamily))
			return NIL;
	}
	request->lossy = false;

	return conditions;
}

/*
 * objectid_period_support - planner support for id <@ period
 */
PG_FUNCTION_INFO_V1(objectid_period_support);
Datum
objectid_period_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);

	if (IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(simplify_period((SupportRequestSimplify *) request));
	if (IsA(request, SupportRequestIndexCondition))
		PG_RETURN_POINTER(period_index_conditions((SupportRequestIndexCondition *) request));

	PG_RETURN_POINTER(NULL);
}

/*
 * objectid_periodsel - restriction selectivity of id <@ period
 *
 * Core's for "period @> instant", which knows columns of periods.  A column of ids
 * usually has bounds instead.
 */
PG_FUNCTION_INFO_V1(objectid_periodsel);
Datum
objectid_periodsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	OpExpr	   *containment = (OpExpr *) make_containment((List *) PG_GETARG_POINTER(2));

	if (containment == NULL)
		PG_RETURN_FLOAT8(DEFAULT_RANGE_INEQ_SEL);
	PG_RETURN_FLOAT8(restriction_selectivity(root, containment->opno, containment->args,
											 InvalidOid, PG_GETARG_INT32(3)));
}
