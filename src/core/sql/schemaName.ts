/** The PostgreSQL schema of all published tables. */
export const SQL_SCHEMA = "serac"
