/*-------------------------------------------------------------------------
 *
 * objectid_selfuncs.c
 *	  Planner support: how many rows a comparison selects, and which
 *	  comparisons of ids replace a comparison with an instant or a period.
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
#include "objectid.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/supportnodes.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/*-------------------------------------------------------------------------
 * One bound: the fraction of rows below or above a constant
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
	HistogramEnd first = {.last = false};
	HistogramEnd last = {.last = true};
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

		if (middle == 0 && find_histogram_end(root, vardata, typentry, opproc, &first))
		{
			histogram.values[0] = ObjectidPGetDatum(&first.value);
			actual = true;
		}
		if (middle == bins && find_histogram_end(root, vardata, typentry, opproc, &last))
		{
			histogram.values[bins] = ObjectidPGetDatum(&last.value);
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
				  TypeCacheEntry *typentry, StrategyNumber strategy,
				  const Node *bound)
{
	const Const *constant = (const Const *) bound;
	Form_pg_statistic stats;
	FmgrInfo	opproc;
	double		common;
	double		sum_common;
	double		selec;

	if (!IsA(bound, Const))
		return DEFAULT_INEQ_SEL;
	if (constant->constisnull)
		return 0.0;
	if (!HeapTupleIsValid(vardata->statsTuple))
		return DEFAULT_INEQ_SEL;

	stats = (Form_pg_statistic) GETSTRUCT(vardata->statsTuple);
	fmgr_info(get_opcode(get_opfamily_member(typentry->btree_opf,
											 typentry->type_id,
											 typentry->type_id, strategy)),
			  &opproc);
	common = mcv_selectivity(vardata, &opproc, InvalidOid,
							 constant->constvalue, true, &sum_common);

	selec = fraction_below(root, vardata, typentry, &opproc,
						   DatumGetObjectidP(constant->constvalue),
						   strategy == BTLessEqualStrategyNumber ||
						   strategy == BTGreaterStrategyNumber);
	if (selec < 0.0)
		selec = 0.5;
	else if (strategy > BTEqualStrategyNumber)
		selec = 1.0 - selec;

	selec = selec * (1.0 - stats->stanullfrac - sum_common) + common;
	CLAMP_PROBABILITY(selec);

	return selec;
}

/*-------------------------------------------------------------------------
 * Several bounds of one column: windows
 *
 * Core multiplies the estimates for the conditions of an AND list.  To make
 * the product right, a bound is estimated for those rows only that satisfy
 * the earlier bounds of the list.
 *-------------------------------------------------------------------------
 */

/* one end of a window: if it has several bounds, the tightest counts */
typedef struct WindowEnd
{
	int			count;			/* number of bounds */
	bool		unknown;		/* is any bound not a constant? */
	Const	   *constant;		/* the tightest constant, or NULL */
	StrategyNumber strategy;	/* of "column OP constant" */
	double		selec;			/* its selectivity, or -1 if not computed yet */
} WindowEnd;

typedef struct Window
{
	WindowEnd	lower;
	WindowEnd	upper;
} Window;

/*
 * is_tighter - is this bound tighter than the tightest one so far?
 */
static bool
is_tighter(const WindowEnd *end, StrategyNumber strategy, const Const *constant)
{
	int			cmp;

	if (end->constant == NULL || constant->constisnull)
		return true;
	if (end->constant->constisnull)
		return false;

	cmp = objectid_internal_cmp(DatumGetObjectidP(constant->constvalue),
								DatumGetObjectidP(end->constant->constvalue));
	if (strategy < BTEqualStrategyNumber)
		cmp = -cmp;

	/* of equal bounds, the one that excludes the value */
	return cmp > 0 ||
		(cmp == 0 && (strategy == BTLessStrategyNumber || strategy == BTGreaterStrategyNumber));
}

/*
 * add_bound - add "column OP bound" to a window
 *
 * "selec" is its selectivity, or -1 if that is not known.
 */
static void
add_bound(Window *window, StrategyNumber strategy, Node *bound, double selec)
{
	WindowEnd  *end = strategy < BTEqualStrategyNumber ? &window->upper : &window->lower;

	end->count++;
	if (!IsA(bound, Const))
		end->unknown = true;
	else if (is_tighter(end, strategy, (Const *) bound))
	{
		end->constant = (Const *) bound;
		end->strategy = strategy;
		end->selec = selec;
	}
}

/*
 * end_selectivity - the fraction of rows that satisfy the bounds of an end
 */
static double
end_selectivity(PlannerInfo *root, VariableStatData *vardata,
				TypeCacheEntry *typentry, WindowEnd *end)
{
	double		selec = end->unknown ? DEFAULT_INEQ_SEL : 1.0;

	if (end->constant != NULL)
	{
		if (end->selec < 0.0)
			end->selec = bound_selectivity(root, vardata, typentry,
										   end->strategy, (Node *) end->constant);
		selec = Min(selec, end->selec);
	}

	return selec;
}

/*
 * window_selectivity - the fraction of rows in a window
 *
 * Follows the rules of clauselist_selectivity().
 */
static double
window_selectivity(PlannerInfo *root, VariableStatData *vardata,
				   TypeCacheEntry *typentry, Window *window)
{
	double		lower = end_selectivity(root, vardata, typentry, &window->lower);
	double		upper = end_selectivity(root, vardata, typentry, &window->upper);
	double		selec;

	if (window->lower.count == 0 || window->upper.count == 0)
		return lower * upper;

	/* exactly the default means that nothing is known about a bound */
	if (lower == DEFAULT_INEQ_SEL || upper == DEFAULT_INEQ_SEL)
		return DEFAULT_RANGE_INEQ_SEL;

	/* nulls are in neither fraction */
	selec = lower + upper - 1.0;
	if (HeapTupleIsValid(vardata->statsTuple))
		selec += ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;

	if (selec < -0.01)
		return DEFAULT_RANGE_INEQ_SEL;
	return Max(selec, 1.0e-10);
}

/*
 * may_have_default - can the fraction for a window be DEFAULT_RANGE_INEQ_SEL?
 *
 * It can if a bound is unknown, or if the bounds contradict each other.
 */
static bool
may_have_default(const Window *window)
{
	const Const *lower = window->lower.constant;
	const Const *upper = window->upper.constant;

	if (window->lower.count == 0 || window->upper.count == 0)
		return false;

	return window->lower.unknown || window->upper.unknown ||
		lower->constisnull || upper->constisnull ||
		objectid_internal_cmp(DatumGetObjectidP(upper->constvalue),
							  DatumGetObjectidP(lower->constvalue)) < 0;
}

/*
 * find_and_list - the AND list of which a condition is a direct member
 *
 * Recognizes the condition by the address of its argument list or, if
 * "copied" is true, by equality.  Returns false if it is not below "node".
 * Otherwise sets *siblings to the list and *self to the member, or both to
 * NIL and NULL if the condition is in no AND list.
 */
static bool
find_and_list(Node *node, Oid operator, const List *args, bool copied,
			  List **siblings, Node **self)
{
	List	   *members;
	bool		is_and = true;
	ListCell   *lc;

	if (node == NULL)
		return false;

	if (IsA(node, RestrictInfo))
	{
		RestrictInfo *rinfo = (RestrictInfo *) node;

		node = (Node *) (rinfo->orclause ? rinfo->orclause : rinfo->clause);
	}

	if (IsA(node, List))
		members = (List *) node;
	else if (IsA(node, BoolExpr))
	{
		members = ((BoolExpr *) node)->args;
		is_and = is_andclause(node);
	}
	else if (IsA(node, BooleanTest))
		return find_and_list((Node *) ((BooleanTest *) node)->arg, operator, args, copied, siblings, self);
	else
	{
		*siblings = NIL;
		*self = NULL;
		return IsA(node, OpExpr) &&
			(((OpExpr *) node)->args == args ||
			 (copied && ((OpExpr *) node)->opno == operator &&
			  equal(((OpExpr *) node)->args, args)));
	}

	foreach(lc, members)
	{
		if (find_and_list(lfirst(lc), operator, args, copied, siblings, self))
		{
			Node	   *member = lfirst(lc);

			if (IsA(member, RestrictInfo))
				member = (Node *) ((RestrictInfo *) member)->clause;
			if (is_and && IsA(member, OpExpr))
			{
				*siblings = members;
				*self = lfirst(lc);
			}
			return true;
		}
	}

	return false;
}

/*
 * has_key - is this column a key of this index?
 */
static bool
has_key(IndexOptInfo *index, Node *column)
{
	for (int i = 0; i < index->nkeycolumns; i++)
		if (match_index_to_operand(column, i, index))
			return true;

	return false;
}

/*
 * get_siblings - the AND list of a condition on a relation, or NIL
 *
 * Core also estimates copies of conditions, for a child relation, and the
 * predicate of a partial index in place of the conditions that it implies.  If
 * the column is a key of that index, the predicate joins the relation's other
 * conditions.  If not, it is a list of its own.
 *
 * *self is the member of the list that is the condition, or NULL if there is
 * none: core derives some index conditions, for instance from a row
 * comparison.
 */
static List *
get_siblings(PlannerInfo *root, RelOptInfo *rel, Oid operator, const List *args,
			 Node *column, bool is_index_condition, Node **self)
{
	List	   *siblings = NIL;
	ListCell   *lc;

	if (find_and_list((Node *) rel->baserestrictinfo, operator, args, false, &siblings, self) ||
		find_and_list(root->parse->havingQual, operator, args, false, &siblings, self))
		return siblings;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = (IndexOptInfo *) lfirst(lc);

		if (find_and_list((Node *) index->indpred, operator, args, false, &siblings, self))
		{
			if (has_key(index, column))
				break;
			return siblings;
		}
	}

	if (find_and_list((Node *) rel->baserestrictinfo, operator, args, true, &siblings, self) ||
		find_and_list((Node *) rel->joininfo, operator, args, true, &siblings, self))
		return siblings;

	*self = NULL;
	return is_index_condition ? rel->baserestrictinfo : NIL;
}

/*
 * get_bound - split "column OP bound" or "bound OP column"
 *
 * Returns false for anything else, and for a bound that is not constant
 * during the query: core does not combine those either.  *strategy is the
 * operator's in the first form.  *bound is reduced to a constant if possible.
 */
static bool
get_bound(PlannerInfo *root, const OpExpr *opexpr, const Node *column,
		  const TypeCacheEntry *typentry, StrategyNumber *strategy, Node **bound)
{
	bool		varonleft = equal(linitial(opexpr->args), column);

	if (!varonleft && !equal(lsecond(opexpr->args), column))
		return false;

	*strategy = get_op_opfamily_strategy(opexpr->opno, typentry->btree_opf);
	if (*strategy == InvalidStrategy || *strategy == BTEqualStrategyNumber)
		return false;

	*bound = varonleft ? lsecond(opexpr->args) : linitial(opexpr->args);
	if (!varonleft)
		*strategy = BTCommuteStrategyNumber(*strategy);

	if (IsA(*bound, Const))
		return true;
	if (!is_pseudo_constant_clause(*bound))
		return false;
	*bound = estimate_expression_value(root, *bound);
	return true;
}

/*
 * is_estimated_with - does core estimate two conditions in the same list?
 *
 * Not if they belong to different joins.  The conditions of a foreign table
 * form two lists: those sent to the remote server, and the others.
 */
static bool
is_estimated_with(const RelOptInfo *rel, const RestrictInfo *a, const RestrictInfo *b)
{
	if (a->is_pushed_down != b->is_pushed_down ||
		!bms_equal(a->required_relids, b->required_relids))
		return false;

	return rel->fdwroutine == NULL ||
		contain_mutable_functions((Node *) a->clause) == contain_mutable_functions((Node *) b->clause);
}

/*
 * objectid_ineqsel - restriction selectivity of "<", "<=", ">=", ">"
 */
PG_FUNCTION_INFO_V1(objectid_ineqsel);
Datum
objectid_ineqsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	Node	   *bound;
	bool		varonleft;
	Node	   *column;
	TypeCacheEntry *typentry;
	StrategyNumber strategy;
	List	   *siblings = NIL;
	ListCell   *lc;
	Node	   *self = NULL;
	bool		is_later = false;
	bool		has_later = false;
	Window		window;			/* the bounds up to this one */
	Window		all;
	double		earlier;
	double		selec;

	if (!get_restriction_variable(root, args, varRelid,
								  &vardata, &bound, &varonleft))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);

	typentry = lookup_type_cache(exprType(linitial(args)),
								 TYPECACHE_BTREE_OPFAMILY | TYPECACHE_LT_OPR);
	strategy = get_op_opfamily_strategy(operator, typentry->btree_opf);

	/* a superuser can use this estimator for operators of any type */
	if (strategy == InvalidStrategy || strategy == BTEqualStrategyNumber)
	{
		ReleaseVariableStats(vardata);
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
	}

	column = varonleft ? linitial(args) : lsecond(args);
	if (!varonleft)
		strategy = BTCommuteStrategyNumber(strategy);

	memset(&window, 0, sizeof(window));
	memset(&all, 0, sizeof(all));
	add_bound(&all, strategy, bound, -1.0);

	/* the other bounds of the column */
	if (is_pseudo_constant_clause(varonleft ? lsecond(args) : linitial(args)))
		siblings = get_siblings(root, vardata.rel, operator, args, column, varRelid != 0, &self);
	foreach(lc, siblings)
	{
		Node	   *clause = lfirst(lc);
		RestrictInfo *rinfo = NULL;
		Node	   *other;
		StrategyNumber other_strategy;
		double		other_selec = -1.0;

		if (clause == self)
		{
			is_later = true;
			continue;
		}
		if (IsA(clause, RestrictInfo))
		{
			rinfo = (RestrictInfo *) clause;
			if (self != NULL && !is_estimated_with(vardata.rel, rinfo, (RestrictInfo *) self))
				continue;
			clause = (Node *) rinfo->clause;
		}
		if (!is_opclause(clause) || list_length(((OpExpr *) clause)->args) != 2 ||
			!get_bound(root, (OpExpr *) clause, column, typentry, &other_strategy, &other))
			continue;

		add_bound(&all, other_strategy, other, -1.0);
		if (is_later)
		{
			has_later = true;
			continue;
		}

		/*
		 * The estimate of the first bound does not depend on others, so its
		 * cached value is right, unless it was raised to the default (see
		 * below).  The cast is for machines that compute with more precision
		 * than double.
		 */
		if (rinfo != NULL && rinfo->norm_selec != (double) DEFAULT_RANGE_INEQ_SEL &&
			window.lower.count + window.upper.count == 0)
			other_selec = rinfo->norm_selec;
		add_bound(&window, other_strategy, other, other_selec);
	}

	earlier = window_selectivity(root, &vardata, typentry, &window);
	add_bound(&window, strategy, bound, -1.0);
	selec = window_selectivity(root, &vardata, typentry, &window);

	/*
	 * The default for a window can exceed the selectivity of one of its
	 * bounds, but a later condition cannot raise the product, because its
	 * estimate is at most 1.  So keep the product at or above the default
	 * until the last bound.
	 */
	if (may_have_default(&all))
	{
		earlier = Max(earlier, DEFAULT_RANGE_INEQ_SEL);
		if (has_later)
			selec = Max(selec, DEFAULT_RANGE_INEQ_SEL);
	}
	selec = selec < earlier ? selec / earlier : 1.0;

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}

/*-------------------------------------------------------------------------
 * Comparisons with instants and periods
 *
 * The planner replaces "id OP instant" with a comparison of ids, "id OP
 * boundary", and "id <@ period" with two such comparisons.  So everything that
 * works for comparisons of ids works here: indexes, partition pruning,
 * estimates.
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
 * make_boundary - build a call of the extension's function "name(argument)"
 *
 * Looks in the schema of the function that is replaced.  Returns NULL if there
 * is no such function.
 */
static Node *
make_boundary(const FuncExpr *call, const char *name, Oid argtype, Node *argument, Oid type)
{
	Oid			function;

	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum(name),
							   PointerGetDatum(buildoidvector(&argtype, 1)),
							   ObjectIdGetDatum(get_func_namespace(call->funcid)));
	if (!OidIsValid(function))
		return NULL;

	return (Node *) makeFuncExpr(function, type, list_make1(argument),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

/*
 * simplify_instant - support for a function that compares with an instant
 *
 * "strategy" compares the id with the boundary: the first id after the second
 * of the instant if "upper" is true, else the first id not before it.
 */
static Datum
simplify_instant(FunctionCallInfo fcinfo, StrategyNumber strategy, bool upper)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	FuncExpr   *call;
	Node	   *id;
	Node	   *instant;
	Node	   *boundary;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	call = ((SupportRequestSimplify *) request)->fcall;
	id = linitial(call->args);
	instant = lsecond(call->args);
	if (exprType(id) == TIMESTAMPTZOID)
	{
		instant = id;
		id = lsecond(call->args);
	}

	if (IsA(instant, Const))
	{
		TimestampTz constant = DatumGetTimestampTz(((Const *) instant)->constvalue);
		objectid_t *value = palloc(sizeof(objectid_t));

		if (upper)
			objectid_set_upper_bound(value, constant);
		else
			objectid_set_lower_bound(value, constant);
		boundary = (Node *) makeConst(exprType(id), -1, InvalidOid, OBJECTID_LEN,
									  ObjectidPGetDatum(value), false, false);
	}
	else
	{
		boundary = make_boundary(call, upper ? "objectid_upper_bound" : "objectid_lower_bound",
								 TIMESTAMPTZOID, instant, exprType(id));
		if (boundary == NULL)
			PG_RETURN_POINTER(NULL);
	}

	PG_RETURN_POINTER(make_comparison(id, strategy, boundary));
}

/*
 * objectid_lt_support etc. - id < instant, or instant > id, and so on
 */
PG_FUNCTION_INFO_V1(objectid_lt_support);
Datum
objectid_lt_support(PG_FUNCTION_ARGS)
{
	return simplify_instant(fcinfo, BTLessStrategyNumber, false);
}

PG_FUNCTION_INFO_V1(objectid_le_support);
Datum
objectid_le_support(PG_FUNCTION_ARGS)
{
	return simplify_instant(fcinfo, BTLessStrategyNumber, true);
}

PG_FUNCTION_INFO_V1(objectid_ge_support);
Datum
objectid_ge_support(PG_FUNCTION_ARGS)
{
	return simplify_instant(fcinfo, BTGreaterEqualStrategyNumber, false);
}

PG_FUNCTION_INFO_V1(objectid_gt_support);
Datum
objectid_gt_support(PG_FUNCTION_ARGS)
{
	return simplify_instant(fcinfo, BTGreaterEqualStrategyNumber, true);
}

/*
 * objectid_period_support - id <@ period, or period @> id
 *
 * The replacement is
 * "id >= objectid_first_in(period) AND id <= objectid_last_in(period)".
 */
PG_FUNCTION_INFO_V1(objectid_period_support);
Datum
objectid_period_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	PlannerInfo *root;
	FuncExpr   *call;
	Node	   *id;
	Node	   *period;
	QualCost	cost;
	Node	   *first;
	Node	   *last;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	root = ((SupportRequestSimplify *) request)->root;
	call = ((SupportRequestSimplify *) request)->fcall;
	id = linitial(call->args);
	period = lsecond(call->args);
	if (getBaseType(exprType(id)) == TSTZRANGEOID)
	{
		period = id;
		id = lsecond(call->args);
	}

	/* both are evaluated twice: core allows that under these conditions only */
	if (contain_subplans((Node *) call->args) ||
		contain_volatile_functions((Node *) call->args))
		PG_RETURN_POINTER(NULL);
	cost_qual_eval(&cost, call->args, root);
	if (cost.startup + cost.per_tuple > 10 * cpu_operator_cost)
		PG_RETURN_POINTER(NULL);

	/* drop the cast to the domain, which has no constraint */
	if (IsA(period, RelabelType))
		period = (Node *) ((RelabelType *) period)->arg;

	first = make_boundary(call, "objectid_first_in", TSTZRANGEOID, period, exprType(id));
	last = make_boundary(call, "objectid_last_in", TSTZRANGEOID, period, exprType(id));
	if (first == NULL || last == NULL)
		PG_RETURN_POINTER(NULL);

	PG_RETURN_POINTER(make_andclause(list_make2(make_comparison(id, BTGreaterEqualStrategyNumber,
																eval_const_expressions(root, first)),
												make_comparison(copyObject(id), BTLessEqualStrategyNumber,
																eval_const_expressions(root, last)))));
}
