<?php

declare(strict_types=1);

namespace PgObjectId\Laravel;

use Illuminate\Contracts\Database\Eloquent\CastsAttributes;

/** Laravel: lower-case digits, for an id that comes from a form: protected $casts = ['event_id' => AsObjectId::class]; */
class AsObjectId implements CastsAttributes
{
    public function get($model, string $key, $value, array $attributes)
    {
        return $value;
    }

    public function set($model, string $key, $value, array $attributes)
    {
        return is_string($value) ? strtolower($value) : $value;
    }
}
