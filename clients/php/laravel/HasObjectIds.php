<?php
declare(strict_types=1);

namespace PgObjectId;

use MongoDB\BSON\ObjectId;

/**
 * Laravel: generates the key of a new model, the 24 digits of an ObjectId.
 *
 *     class Event extends Model { use HasObjectIds; }
 */
trait HasObjectIds
{
    /** Otherwise Eloquent converts a key to a number if it looks like one, and 24 digits without a letter do. */
    public function initializeHasObjectIds(): void
    {
        $this->incrementing = false;
        $this->keyType = 'string';
    }

    protected static function bootHasObjectIds(): void
    {
        static::creating(fn ($model) => $model->{$model->getKeyName()} ??= (string) new ObjectId());
    }
}
