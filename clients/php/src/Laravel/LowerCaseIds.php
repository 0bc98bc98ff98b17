<?php

declare(strict_types=1);

namespace PgObjectId\Laravel;

/** For sync() and toggle(), which compare the ids that they get with those of the server. */
trait LowerCaseIds
{
    protected function formatRecordsList($records)
    {
        $records = parent::formatRecordsList($records);
        $lower = in_array(HasObjectIds::class, class_uses_recursive($this->related));
        return $lower ? array_change_key_case($records) : $records;
    }
}
