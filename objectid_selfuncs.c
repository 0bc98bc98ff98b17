/*-------------------------------------------------------------------------
 *
 * objectid_selfuncs.c
 *	  Estimates for the planner: how many rows a comparison of ids, or a
 *	  period, selects.
 *
 * Core's estimators interpolate within a bin of the histogram only for types
 * that they know.  For other types they take the middle of the bin, so that a
 * window within one bin looks empty.  Also, core combines the two ends of a
 * window only if both use its own estimators.  The estimator below
 * interpolates and combines, and otherwise follows the rules of scalarltsel()
 * in selfuncs.c and of clauselist_selectivity() in clausesel.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "catalog/pg_statistic.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/typcache.h"

/*-------------------------------------------------------------------------
 * Constants: the fraction of rows below or above one, or between two
 *-------------------------------------------------------------------------
 */

/* the end that find_histogram_end() looks for, and its value */
typedef struct HistogramEnd
{
	bool		last;			/* the last value, or the first? */
	objectid_t	value;
} HistogramEnd;

/*
 * compare_to_find_end - a comparison that moves a binary search to one end
 *
 * Saves the value that it is called with.  The last call is for the end.
 */
static Datum
compare_to_find_end(PG_FUNCTION_ARGS)
{
	HistogramEnd *end = fcinfo->flinfo->fn_extra;

	end->value = *PG_GETARG_OBJECTID_P(0);

	PG_RETURN_BOOL(end->last);
}

/*
 * find_histogram_end - the actual first or last value of a column
 *
 * Core's get_actual_variable_range() reads it from an index, within a limit
 * of visited pages, but is static.  ineq_histogram_selectivity() calls it
 * before it compares with an end of the histogram, so call that function with
 * a comparison that leads there.
 *
 * Returns false if there is no such index, or the limit was reached.
 */
static bool
find_histogram_end(PlannerInfo *root, VariableStatData *vardata,
				   TypeCacheEntry *typentry, const FmgrInfo *opproc,
				   HistogramEnd *end)
{
	FmgrInfo	comparison = *opproc;
	double		selec;

	comparison.fn_addr = compare_to_find_end;
	comparison.fn_extra = end;
	selec = ineq_histogram_selectivity(root, vardata, typentry->lt_opr,
									   &comparison, false, false, InvalidOid,
									   ObjectidPGetDatum(&end->value),
									   typentry->type_id);

	/* core returns 0 or 1 only if it knows the actual end */
	return selec == (end->last ? 1.0 : 0.0);
}

/*
 * equal_selectivity - the fraction of the histogram that one value makes up
 */
static double
equal_selectivity(VariableStatData *vardata)
{
	bool		isdefault;
	double		distinct = get_variable_numdistinct(vardata, &isdefault);
	AttStatsSlot common;

	if (get_attstatsslot(&common, vardata->statsTuple, STATISTIC_KIND_MCV,
						 InvalidOid, ATTSTATSSLOT_NUMBERS))
	{
		distinct -= common.nnumbers;
		free_attstatsslot(&common);
	}

	return distinct > 1 ? 1.0 / distinct : 0.0;
}

/*
 * fraction_below - the fraction of the histogram below a value
 *
 * Includes equal values if "inclusive" is true.  Returns -1 if there is no
 * histogram.
 *
 * Does what ineq_histogram_selectivity() does for "<" and "<=", but
 * interpolates within a bin by the distance of ids, as numbers of 96 bits.
 */
static double
fraction_below(PlannerInfo *root, VariableStatData *vardata,
			   TypeCacheEntry *typentry, const FmgrInfo *opproc,
			   const objectid_t *value, bool inclusive)
{
	AttStatsSlot histogram;
	HistogramEnd ends[] = {{.last = false}, {.last = true}};
	bool		actual = false;
	double		selec;
	double		cutoff;
	int			bins;
	int			start = 0;
	int			stop;

	if (!statistic_proc_security_check(vardata, opproc->fn_oid) ||
		!get_attstatsslot(&histogram, vardata->statsTuple,
						  STATISTIC_KIND_HISTOGRAM, typentry->lt_opr,
						  ATTSTATSSLOT_VALUES))
		return -1.0;

	if (histogram.nvalues < 2)
	{
		free_attstatsslot(&histogram);
		return -1.0;
	}
	bins = histogram.nvalues - 1;

	/*
	 * Find the first entry that is not below the value: the upper end of its
	 * bin.  If the search reaches an end of the histogram, use the actual
	 * end.
	 */
	stop = histogram.nvalues;
	while (start < stop)
	{
		int			middle = (start + stop) / 2;

		if ((middle == 0 || middle == bins) &&
			find_histogram_end(root, vardata, typentry, opproc, &ends[middle == bins]))
		{
			histogram.values[middle] = ObjectidPGetDatum(&ends[middle == bins].value);
			actual = true;
		}

		if (objectid_internal_cmp(DatumGetObjectidP(histogram.values[middle]), value) <
			(inclusive ? 1 : 0))
			start = middle + 1;
		else
			stop = middle;
	}

	if (stop == 0)
		selec = 0.0;
	else if (stop > bins)
		selec = 1.0;
	else
	{
		const objectid_t *low = DatumGetObjectidP(histogram.values[stop - 1]);
		const objectid_t *high = DatumGetObjectidP(histogram.values[stop]);
		double		within = objectid_internal_distance(low, value) /
		objectid_internal_distance(low, high);

		/*
		 * Each entry of the histogram is the greatest value of its bin, so
		 * the result includes equal values.  Only the first entry is the
		 * smallest value of its bin.
		 */
		selec = (stop - 1 + within) / bins;
		if (stop == 1)
			selec += equal_selectivity(vardata) * (1.0 - within);
		if (!inclusive)
			selec -= equal_selectivity(vardata);
	}

	/* statistics may be out of date: without the actual end, allow for that */
	cutoff = actual ? 0.0 : 0.01 / bins;
	selec = Min(Max(selec, cutoff), 1.0 - cutoff);

	free_attstatsslot(&histogram);

	return selec;
}

/*
 * bound_selectivity - the fraction of rows for which "column OP bound" is true
 *
 * Like scalarineqsel(): the most common values, the histogram for other
 * values, and no nulls.
 */
static double
bound_selectivity(PlannerInfo *root, VariableStatData *vardata,
				  TypeCacheEntry *typentry, StrategyNumber strategy, const Node *bound)
{
	const Const *constant = (const Const *) bound;
	const objectid_t *value;
	FmgrInfo	opproc;
	bool		inclusive;
	double		common;
	double		sum_common;
	double		selec;

	if (IsA(bound, Const) && constant->constisnull)
		return 0.0;
	if (!IsA(bound, Const) || !HeapTupleIsValid(vardata->statsTuple))
		return DEFAULT_INEQ_SEL;

	value = DatumGetObjectidP(constant->constvalue);
	fmgr_info(get_opcode(get_opfamily_member(typentry->btree_opf, typentry->type_id,
											 typentry->type_id, strategy)),
			  &opproc);
	common = mcv_selectivity(vardata, &opproc, InvalidOid, constant->constvalue,
							 true, &sum_common);

	/* the last id of a second is the boundary of a period, and no value */
	inclusive = (strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber) &&
		objectid_get_serial(value) != PG_UINT64_MAX;
	selec = fraction_below(root, vardata, typentry, &opproc, value, inclusive);
	if (selec < 0.0)
		selec = 0.5;
	else if (strategy >= BTGreaterEqualStrategyNumber)
		selec = 1.0 - selec;

	selec *= 1.0 - ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac - sum_common;
	selec += common;
	CLAMP_PROBABILITY(selec);

	return selec;
}

/* a bound of a column: the operator, with the column on the left, and the other side */
typedef struct Bound
{
	StrategyNumber strategy;
	Node	   *value;
} Bound;

/* a column, and the fraction of rows that satisfy the tightest bound of each end: without one, 1 */
typedef struct Window
{
	PlannerInfo *root;
	VariableStatData *vardata;
	TypeCacheEntry *typentry;
	Node	   *column;
	double		lower;
	double		upper;
} Window;

/*
 * is_boundary - does this call one of the extension's functions of an instant or a period?
 */
static bool
is_boundary(const Node *value, FmgrInfo *function)
{
	const FuncExpr *call = (const FuncExpr *) value;

	if (!IsA(value, FuncExpr) || list_length(call->args) != 1)
		return false;
	fmgr_info(call->funcid, function);

	return function->fn_addr == objectid_lower_bound || function->fn_addr == objectid_upper_bound ||
		function->fn_addr == objectid_first_in || function->fn_addr == objectid_last_in;
}

/*
 * estimate_value - the value of a bound as a constant, if it can be known
 *
 * Core evaluates only the argument of a boundary, because a second call in the executor
 * costs more than the rest.
 */
static Node *
estimate_value(const Window *window, Node *value, PGFunction other_boundary)
{
	FmgrInfo	function;
	Node	   *argument;

	if (!is_boundary(value, &function))
		return estimate_expression_value(window->root, value);

	argument = estimate_expression_value(window->root, linitial(((FuncExpr *) value)->args));
	if (!IsA(argument, Const))
		return value;
	if (((Const *) argument)->constisnull)
		return (Node *) makeNullConst(window->typentry->type_id, -1, InvalidOid);

	if (other_boundary)
		function.fn_addr = other_boundary;
	return (Node *) makeConst(window->typentry->type_id, -1, InvalidOid, OBJECTID_LEN,
							  FunctionCall1(&function, ((Const *) argument)->constvalue),
							  false, false);
}

/*
 * add_bound - add a bound, or another boundary of its argument, to a window
 */
static void
add_bound(Window *window, Bound bound, PGFunction other_boundary)
{
	bool		is_upper = bound.strategy <= BTLessEqualStrategyNumber;
	double	   *end = is_upper ? &window->upper : &window->lower;
	Node	   *value = estimate_value(window, bound.value, other_boundary);
	double		selec = bound_selectivity(window->root, window->vardata, window->typentry,
										  bound.strategy, value);

	*end = Min(*end, selec);
}

/*
 * window_selectivity - the fraction of rows in a window
 *
 * Follows the rules of clauselist_selectivity(), but is never more than the
 * fraction of one end: a further condition does not select more rows.  No row is
 * between bounds that contradict each other.  For those of one list, core expects some.
 */
static double
window_selectivity(const Window *window, bool of_one_list)
{
	HeapTuple	stats = window->vardata->statsTuple;
	double		tightest = Min(window->lower, window->upper);
	double		selec;

	if (window->lower == 1.0 || window->upper == 1.0)
		return tightest;

	/* nulls are in neither fraction */
	selec = window->lower + window->upper - 1.0;
	if (HeapTupleIsValid(stats))
		selec += ((Form_pg_statistic) GETSTRUCT(stats))->stanullfrac;

	/* nothing is known about a bound, or the bounds contradict each other */
	if (window->lower == DEFAULT_INEQ_SEL || window->upper == DEFAULT_INEQ_SEL ||
		(of_one_list && selec < -0.01))
		selec = Min(tightest, DEFAULT_RANGE_INEQ_SEL);

	CLAMP_PROBABILITY(selec);

	return selec;
}

/*-------------------------------------------------------------------------
 * Conditions that are estimated together
 *
 * Core multiplies the estimates of the conditions of an AND list.  To make the
 * product right, the first bound of a column in the list has the estimate of the
 * whole window, and the others have 1.  A bound that is only a part of a member,
 * such as an arm of OR, is estimated for the rows in the window of the other
 * members, because core multiplies with those, too.
 *-------------------------------------------------------------------------
 */

/* the longest list whose bounds are beside a part of a member */
#define MAX_BESIDE 50

/* a condition that core wants an estimate for, and its place in the query */
typedef struct Condition
{
	Oid			operator;
	const List *args;
	bool		copied;			/* are its arguments copies? */
	List	   *list;			/* the AND list that it is a member of, or NIL */
	int			index;			/* in this list */
} Condition;

/*
 * get_clause - the clause of a member of a list
 */
static Node *
get_clause(Node *member)
{
	RestrictInfo *rinfo = (RestrictInfo *) member;

	if (!IsA(member, RestrictInfo))
		return member;

	return (Node *) (rinfo->orclause ? rinfo->orclause : rinfo->clause);
}

/*
 * is_estimated - has core cached the estimate of a member, or of its last part?
 *
 * Looks no deeper than a few levels, because conditions can nest deeply.
 */
static bool
is_estimated(Node *member)
{
	for (int depth = 0; depth < 8 && IsA(member, BoolExpr); depth++)
		member = llast(((BoolExpr *) member)->args);

	return IsA(member, RestrictInfo) &&
		(((RestrictInfo *) member)->norm_selec >= 0 || ((RestrictInfo *) member)->outer_selec >= 0);
}

/*
 * get_bound - split "column OP value" or "value OP column"
 *
 * Returns false for anything else.
 */
static bool
get_bound(const Window *window, Oid operator, const List *args, Bound *bound)
{
	bool		varonleft;

	if (list_length(args) != 2)
		return false;

	varonleft = equal(linitial(args), window->column);
	if (!varonleft && !equal(lsecond(args), window->column))
		return false;

	bound->strategy = (StrategyNumber)
		get_op_opfamily_strategy(operator, window->typentry->btree_opf);
	if (bound->strategy == InvalidStrategy || bound->strategy == BTEqualStrategyNumber)
		return false;

	bound->value = varonleft ? lsecond(args) : linitial(args);
	if (!varonleft)
		bound->strategy = BTCommuteStrategyNumber(bound->strategy);

	return true;
}

/*
 * get_member_bound - the same for a member of a list
 *
 * Returns false if core does not estimate it together with "self", another member.
 */
static bool
get_member_bound(const Window *window, Node *member, const Node *self, Bound *bound)
{
	const RestrictInfo *a = (const RestrictInfo *) member;
	const RestrictInfo *b = (const RestrictInfo *) self;
	const OpExpr *clause = (const OpExpr *) get_clause(member);

	if (IsA(member, RestrictInfo) && self != NULL &&
		(a->is_pushed_down != b->is_pushed_down ||
		 !bms_equal(a->required_relids, b->required_relids)))
		return false;

	return is_opclause(clause) &&
		get_bound(window, clause->opno, clause->args, bound) &&
		is_pseudo_constant_clause(bound->value);
}

/*
 * is_sent - does the server of a foreign table check a condition with this bound?
 *
 * postgres_fdw estimates the conditions that it does not send for the rows that it gets.
 */
static bool
is_sent(const Window *window, const Bound *bound)
{
	return window->vardata->rel->fdwroutine == NULL || !contain_mutable_functions(bound->value);
}

/*
 * add_members - add the bounds of other members of a list, which are sent or not, to a window
 */
static void
add_members(Window *window, List *members, int start, const Node *self, bool sent)
{
	Bound		bound;

	for (int i = start; i < list_length(members); i++)
		if (list_nth(members, i) != self &&
			get_member_bound(window, list_nth(members, i), self, &bound) &&
			is_sent(window, &bound) == sent)
			add_bound(window, bound, NULL);
}

/*
 * is_condition - is this clause the condition that core wants an estimate for?
 *
 * It is known by the address of its arguments, or by equality if they are copies.  Core makes
 * one of the first columns of two rows, and one of a copy of the column for each element of
 * ANY (array): such a clause is known by equality if it is the next one without an estimate.
 */
static bool
is_condition(const Condition *condition, const Node *clause, bool is_next)
{
	const OpExpr *op = (const OpExpr *) clause;
	const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) clause;

	if (IsA(clause, OpExpr))
		return op->args == condition->args ||
			(condition->copied && op->opno == condition->operator &&
			 equal(op->args, condition->args));
	if (IsA(clause, ScalarArrayOpExpr))
		return is_next && any->opno == condition->operator &&
			equal(linitial(any->args), linitial(condition->args));
	if (IsA(clause, RowCompareExpr))
		return linitial(((const RowCompareExpr *) clause)->largs) == linitial(condition->args);

	return false;
}

/*
 * find_condition - look for a condition in an AND list or the arguments of OR, NOT or IS
 *
 * If it is a part of a member of an AND list, adds the bounds of the others to the window, but
 * not of a long list: n parts beside n bounds would take time n^2.  To avoid this, too, start
 * at the next condition without a cached estimate: core estimates them in their order.
 */
static bool
find_condition(Condition *condition, Window *window, List *members, bool is_and, bool is_next)
{
	int			count = list_length(members);
	int			start = 0;
	int			stop = count;

	check_stack_depth();

	while (start < stop)
	{
		int			middle = (start + stop) / 2;

		if (is_estimated(list_nth(members, middle)))
			start = middle + 1;
		else
			stop = middle;
	}

	for (int i = 0; i < count; i++)
	{
		int			index = (start + i) % count;
		Node	   *member = list_nth(members, index);
		Node	   *clause = get_clause(member);

		if (i > 0 || start == count)
			is_next = false;
		while (IsA(clause, BooleanTest))
			clause = (Node *) ((BooleanTest *) clause)->arg;

		if (!is_condition(condition, clause, is_next) &&
			!(IsA(clause, BoolExpr) &&
			  find_condition(condition, window, ((BoolExpr *) clause)->args,
							 is_andclause(clause), is_next)))
			continue;

		if (is_and && IsA(get_clause(member), OpExpr))
		{
			condition->list = members;
			condition->index = index;
		}
		else if (is_and && count <= MAX_BESIDE)
			add_members(window, members, 0, member, true);
		return true;
	}

	return false;
}

/*
 * find_place - find the AND list of a condition
 *
 * For a child relation, core copies the conditions of outer joins.  The predicate of an
 * index stands for the conditions that it implies.  If the column is not a key of the
 * index, core multiplies the estimates of the predicate only.  If it is a key, the other
 * conditions of the query follow.  A condition that core has derived, as from a row
 * comparison or "id <@ period", is beside the relation's own.
 */
static void
find_place(Condition *condition, Window *window, bool of_index)
{
	RelOptInfo *rel = window->vardata->rel;
	List	   *lists[] = {rel->baserestrictinfo, rel->joininfo,
	(List *) window->root->parse->havingQual};
	ListCell   *lc;

	/* the last one has its estimate, so all have */
	if (of_index && lists[0] != NIL && is_estimated(llast(lists[0])))
		lists[0] = NIL;
	for (int i = 0; i < (int) lengthof(lists); i++)
	{
		if (find_condition(condition, window, lists[i], true, true))
			return;
		condition->copied = i == 1 && IS_OTHER_REL(rel);
		if (condition->copied && find_condition(condition, window, lists[i], true, false))
			return;
		condition->copied = false;
	}
	if (!of_index)
		return;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = (IndexOptInfo *) lfirst(lc);
		bool		is_key = false;

		if (!find_condition(condition, window, index->indpred, true, false))
			continue;
		for (int i = 0; i < index->nkeycolumns && !is_key; i++)
			is_key = match_index_to_operand(window->column, i, index);
		if (!is_key)
			return;

		condition->copied = true;
		window->lower = window->upper = 1.0;
		if (find_condition(condition, window, rel->baserestrictinfo, true, false) &&
			condition->list == rel->baserestrictinfo)
			return;
		break;
	}

	condition->list = NIL;
	condition->index = 0;
	add_members(window, rel->baserestrictinfo, 0, NULL, true);
}

/*
 * condition_selectivity - the estimate of a condition at its place in the query
 *
 * With of_index, of a path through an index, or by postgres_fdw.
 */
static double
condition_selectivity(Condition *condition, Window *window, Bound bound, bool of_index)
{
	bool		sent = is_sent(window, &bound);
	Node	   *self;
	Bound		other;
	FmgrInfo	function;
	double		others;
	double		selec;

	/* core does not combine other bounds either */
	if (is_pseudo_constant_clause(bound.value))
		find_place(condition, window, of_index);
	self = condition->list ? list_nth(condition->list, condition->index) : NULL;

	/* look backwards: the nearest one is usually next to it */
	for (int i = condition->index - 1; i >= 0; i--)
		if (get_member_bound(window, list_nth(condition->list, i), self, &other) &&
			is_sent(window, &other) == sent)
			return 1.0;

	if (!sent)
		add_members(window, condition->list, 0, self, true);
	others = window_selectivity(window, true);
	add_members(window, condition->list, condition->index + 1, self, sent);

	add_bound(window, bound, NULL);

	/* of the two in place of "id <@ period", the first has the whole period */
	if (of_index && self == NULL && is_boundary(bound.value, &function))
	{
		if (function.fn_addr == objectid_last_in)
			return 1.0;
		bound.strategy = BTLessEqualStrategyNumber;
		if (function.fn_addr == objectid_first_in)
			add_bound(window, bound, objectid_last_in);
	}
	selec = window_selectivity(window, others == 1.0);

	return selec < others ? selec / others : 1.0;
}

/*-------------------------------------------------------------------------
 * The estimators
 *-------------------------------------------------------------------------
 */

/*
 * get_objectid_type - the entry of the type cache, or NULL for another type
 *
 * Anyone can use these estimators for operators of any type.  The entry for a
 * domain is that of its base type, because the operator family has no domains.
 */
static TypeCacheEntry *
get_objectid_type(Oid type)
{
	const int	flags = TYPECACHE_BTREE_OPFAMILY | TYPECACHE_LT_OPR | TYPECACHE_CMP_PROC_FINFO;
	TypeCacheEntry *typentry = lookup_type_cache(type, flags);

	if (typentry->cmp_proc_finfo.fn_addr != objectid_cmp)
		return NULL;
	if (typentry->typtype == TYPTYPE_DOMAIN)
		return lookup_type_cache(getBaseType(type), flags);

	return typentry;
}

/*
 * objectid_ineqsel - restriction selectivity of "<", "<=", ">=", ">"
 */
PG_FUNCTION_INFO_V1(objectid_ineqsel);
Datum
objectid_ineqsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Condition	condition = {PG_GETARG_OID(1), (List *) PG_GETARG_POINTER(2), false, NIL, 0};
	int			varRelid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	Window		window = {root, &vardata, NULL, NULL, 1.0, 1.0};
	Bound		bound;
	double		selec = DEFAULT_INEQ_SEL;

	CHECK_FOR_INTERRUPTS();

	window.column = linitial(condition.args);
	examine_variable(root, window.column, varRelid, &vardata);
	if (vardata.rel == NULL && list_length(condition.args) == 2)
	{
		ReleaseVariableStats(vardata);
		window.column = lsecond(condition.args);
		examine_variable(root, window.column, varRelid, &vardata);
	}
	window.typentry = get_objectid_type(exprType(window.column));

	if (vardata.rel != NULL && window.typentry != NULL &&
		get_bound(&window, condition.operator, condition.args, &bound))
		selec = condition_selectivity(&condition, &window, bound, varRelid != 0);

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}
