import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createEmptyDatabase } from '../database.ts'

// Source databases as the fact sheet describes them: our own schema text, no code of the platform.

const V1 = `
  create table pgmigrations (id serial primary key, name text, run_on timestamp);
  create table users (id text primary key, name text not null unique, email text unique, division text not null,
    perms integer not null, ctftime_id text unique, created_at timestamptz default now());
  create table user_members (id text primary key, userid text not null references users on delete cascade, email text not null unique);
  create table challenges (id text primary key, data jsonb not null);
  create table solves (id text primary key, challengeid text not null, userid text not null references users on delete cascade,
    createdat timestamptz not null, unique (challengeid, userid));`

const V2 = `
  create schema drizzle;
  create table drizzle.__drizzle_migrations (id serial primary key, hash text, created_at bigint);
  create table users (id text primary key, name text not null unique, email text unique, division text not null,
    perms integer not null, ctftime_id text unique, created_at timestamptz default now(), avatar_url text, country_code text,
    status_text text, banned boolean default false, score integer default 0, global_rank integer, division_rank integer,
    last_solve_at timestamptz, last_tiebreak_solve_at timestamptz);
  create table user_members (id text primary key, userid text not null references users on delete cascade, email text not null,
    unique (userid, email));
  create table challenges (id text primary key, data jsonb not null, score integer default 0, solve_count integer default 0);
  create table solves (id text primary key, challengeid text not null, userid text not null references users on delete cascade,
    createdat timestamptz not null, submissionip text, points integer default 0, points_updated_at timestamptz default now(),
    source text default 'flag', unique (challengeid, userid));
  create table score_events (id text primary key, challengeid text references challenges on delete cascade,
    userid text references users on delete set null, points_delta integer, event_at timestamptz default now(), source text);
  create table submission_logs (id text primary key, kind text, challenge_id text, user_id text, ip text not null, result text,
    details jsonb default '{}', related_id text, created_at timestamptz default now());
  create table dynamic_flags (challenge_id text references challenges on delete cascade,
    user_id text references users on delete cascade, base text, flag text, allow_duplicate boolean default false,
    created_at timestamptz default now(), primary key (challenge_id, user_id, base));
  create table admin_bot_jobs (id text primary key, challenge_id text, user_id text, status text, config_revision text,
    flags jsonb, inputs jsonb, instancer_instances jsonb, timeout_ms integer, logs text, created_at timestamptz default now(),
    updated_at timestamptz default now());
  create table pending_user_verifications (id text primary key, token text unique, name text unique, email text unique,
    division text, created_at timestamptz default now(), expires_at timestamptz);
  create table external_auth_clients (id text primary key, name text, redirect_uri text, secret_hash text,
    created_at timestamptz default now(), created_by text references users on delete set null);
  create table settings (id text primary key, data jsonb);`

export interface RctfSource extends AsyncDisposable {
  readonly url: string
  /** Inserts rows; keys are columns, and objects are JSON. */
  add(table: string, ...rows: Readonly<Record<string, unknown>>[]): Promise<void>
  query(text: string): Promise<void>
  /** The text of `pg_dump` in its plain format. */
  dump(): Promise<string>
}

export async function createRctfSource(version: 'v1' | 'v2'): Promise<RctfSource> {
  const database = await createEmptyDatabase()
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(version === 'v1' ? V1 : V2)
  return {
    url: database.url,
    async add(table, ...rows) {
      for (const row of rows) {
        const names = Object.keys(row)
        const values = Object.values(row).map((value) =>
          typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
        )
        await client.query(
          `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
          values,
        )
      }
    },
    query: async (text) => void (await client.query(text)),
    dump: () => dumpOf(client),
    async [Symbol.asyncDispose]() {
      await client.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function dumpOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ table: string; columns: string[] }>(`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 group by 1 order by 1`)
  await client.query(`set timezone = 'Asia/Kolkata'`)
  let text = `--\n-- PostgreSQL database dump\n--\n\nSET client_encoding = 'UTF8';\nCREATE TABLE public.users (\n    id text NOT NULL\n);\n\n`
  for (const { table, columns } of rows) {
    const list = columns.join(', ')
    text += `COPY public.${table} (${list}) FROM stdin;\n`
    const parts: Buffer[] = []
    for await (const part of client.query(copyTo(`copy ${table} (${list}) to stdout`)))
      parts.push(part as Buffer)
    text += `${Buffer.concat(parts).toString()}\\.\n\n\n`
  }
  return `${text}--\n-- PostgreSQL database dump complete\n--\n`
}
