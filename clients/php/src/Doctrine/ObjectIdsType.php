<?php

declare(strict_types=1);

namespace PgObjectId\Doctrine;

use Doctrine\DBAL\Platforms\AbstractPlatform;

/**
 * Doctrine: columns of type objectid[].  An array may contain null.
 *
 *     Type::addType('objectids', ObjectIdsType::class);
 *     #[ORM\Column(type: 'objectids', options: ['default' => '{}'])] public array $likes = [];
 */
class ObjectIdsType extends ObjectIdType
{
    public function getSQLDeclaration(array $column, AbstractPlatform $platform): string
    {
        return 'objectid[]';
    }

    public function convertToPHPValue(mixed $value, AbstractPlatform $platform): ?array
    {
        // without the bounds of an array such as [0:1]={...}
        preg_match_all('/[[:xdigit:]]{24}|NULL/', $value ?? '', $ids);
        return $value === null ? null : array_map(fn ($id) => $id === 'NULL' ? null : $id, $ids[0]);
    }

    public function convertToDatabaseValue(mixed $value, AbstractPlatform $platform): ?string
    {
        $write = fn ($id) => parent::convertToDatabaseValue($id, $platform) ?? 'NULL';
        return $value === null ? null : '{' . implode(',', array_map($write, $value)) . '}';
    }

    public function getMappedDatabaseTypes(AbstractPlatform $platform): array
    {
        return ['_objectid'];
    }

    public function getName(): string
    {
        return 'objectids';
    }
}
