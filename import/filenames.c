/*-------------------------------------------------------------------------
 *
 * filenames.c
 *	  The names that mongodump gives to the files of collections.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include "command.h"

/* an escaped name that is longer is cut, and ends in a checksum of the collection's name */
#define MAX_NAME 238
#define KEPT_NAME 208

#define SHA1_BLOCK 64
#define SHA1_BYTES 20

#define ROTATE(word, bits) ((word) << (bits) | (word) >> (32 - (bits)))

/*
 * add_sha1_block - add a block to the state of SHA-1 (FIPS 180-4)
 */
static void
add_sha1_block(uint32 *state, const uint8 * block)
{
	static const uint32 constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
	uint32		w[80];
	uint32		v[5];

	memcpy(v, state, sizeof(v));
	for (int i = 0; i < 80; i++)
	{
		uint32		mixed;

		if (i < 16)
			w[i] = (uint32) block[4 * i] << 24 | (uint32) block[4 * i + 1] << 16 |
				(uint32) block[4 * i + 2] << 8 | block[4 * i + 3];
		else
			w[i] = ROTATE(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
		if (i < 20)
			mixed = (v[1] & v[2]) | (~v[1] & v[3]);
		else if (i >= 40 && i < 60)
			mixed = (v[1] & v[2]) | (v[1] & v[3]) | (v[2] & v[3]);
		else
			mixed = v[1] ^ v[2] ^ v[3];
		mixed += ROTATE(v[0], 5) + v[4] + constants[i / 20] + w[i];
		memmove(v + 1, v, 4 * sizeof(v[0]));
		v[0] = mixed;
		v[2] = ROTATE(v[2], 30);
	}
	for (int i = 0; i < 5; i++)
		state[i] += v[i];
}

/*
 * compute_sha1 - the SHA-1 checksum of a name
 */
static void
compute_sha1(const char *name, uint8 * checksum)
{
	uint32		state[] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
	size_t		length = strlen(name);
	size_t		padded = (length + 8) / SHA1_BLOCK * SHA1_BLOCK + SHA1_BLOCK;
	uint8	   *data = pg_malloc0(padded);

	memcpy(data, name, length);
	data[length] = 0x80;
	for (int i = 0; i < 8; i++)
		data[padded - 1 - i] = (uint8) ((uint64) length * 8 >> 8 * i);
	for (size_t i = 0; i < padded; i += SHA1_BLOCK)
		add_sha1_block(state, data + i);
	for (int i = 0; i < SHA1_BYTES; i++)
		checksum[i] = (uint8) (state[i / 4] >> (24 - i % 4 * 8));
	pg_free(data);
}

/*
 * append_base64 - append bytes in the variant of base64 for file names,
 * without padding
 */
static void
append_base64(StringInfo out, const uint8 * bytes, int count)
{
	static const char digits[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

	for (int bit = 0; bit < 8 * count; bit += 6)
	{
		unsigned int pair = bytes[bit / 8] << 8;

		if (bit / 8 + 1 < count)
			pair |= bytes[bit / 8 + 1];
		appendStringInfoChar(out, digits[(pair >> (10 - bit % 8)) & 0x3f]);
	}
}

/*
 * collection_file_name - the name of a collection's files, without endings
 *
 * It has no "/".
 */
char *
collection_file_name(const char *collection)
{
	StringInfoData out;
	uint8		checksum[SHA1_BYTES];

	initStringInfo(&out);

	/*
	 * mongodump does not escape these, which are in the directories of other
	 * databases
	 */
	if (strcmp(collection, "$admin.system.users") == 0 ||
		strcmp(collection, "$admin.system.roles") == 0 ||
		strcmp(collection, "$admin.system.version") == 0)
	{
		appendStringInfoString(&out, collection);
		return out.data;
	}
	for (const char *c = collection; *c; c++)
		if ((*c >= '0' && *c <= '9') || (*c >= 'A' && *c <= 'Z') || (*c >= 'a' && *c <= 'z') ||
			strchr("-_.~", *c))
			appendStringInfoChar(&out, *c);
		else if (*c == ' ')
			appendStringInfoChar(&out, '+');
		else
			appendStringInfo(&out, "%%%02X", (unsigned char) *c);
	if (out.len > MAX_NAME)
	{
		out.len = KEPT_NAME;
		appendStringInfoString(&out, "%24");
		compute_sha1(collection, checksum);
		append_base64(&out, checksum, SHA1_BYTES);
	}
	return out.data;
}
