-- CreateTable
CREATE TABLE "post" (
    "id" objectid NOT NULL DEFAULT gen_objectid(),
    "title" TEXT,

    CONSTRAINT "post_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "remark" (
    "id" objectid NOT NULL DEFAULT gen_objectid(),
    "post_id" objectid,
    "body" TEXT,

    CONSTRAINT "remark_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "remark" ADD CONSTRAINT "remark_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "post"("id") ON DELETE SET NULL ON UPDATE CASCADE;

