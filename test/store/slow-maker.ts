import { Database } from "bun:sqlite";

/** Creates a table in a new database after holding the write lock for a while. */

const database = new Database(process.argv[2] ?? "", { create: true });
database.run("begin immediate");
database.run("create table made (id integer)");
process.stdout.write("locked");
Bun.sleepSync(300);
database.run("commit");
database.close();
