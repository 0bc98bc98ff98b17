-- As `prisma migrate` lays them out, but written by hand: it would make the ids text.
CREATE TABLE post (id objectid DEFAULT gen_objectid() PRIMARY KEY, title text);
CREATE TABLE remark (
	id objectid DEFAULT gen_objectid() PRIMARY KEY,
	post_id objectid REFERENCES post ON DELETE SET NULL ON UPDATE CASCADE,
	body text
);
