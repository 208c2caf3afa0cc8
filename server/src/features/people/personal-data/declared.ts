import sql, { type Sql } from 'sql-template-tag'
import { decisionRows, personAnswerRows, teamAnswerRows } from '../../site/custom-fields/rows.ts'
import { apiTokenRows } from '../api-tokens/rows.ts'
import { endedSessionRows, personRows } from '../persons/rows.ts'
import { playTables } from './declared-play.ts'
import { ofPerson, ofTeam, type PersonalTable } from './table.ts'

// Every table and column with personal data. Downloads, deletions, the erasure after the event and the record of processing read this
// list, and a test compares it with the schema: docs/reference/personal-data.md

const idIs = (id: string) => sql`id = ${id}`
const ofTeamItself = (id: string) => sql`team_id = ${id} and person_id is null`
const isTarget = (id: string) => sql`string_to_array(target, ' ') @> array[${id}]::text[]`
const toTeam = (address: Sql) => (id: string) =>
  sql`${address} in (select lower(email) from teams where id = ${id} union select lower(email) from members where team_id = ${id})`
const toPerson = (address: Sql) => (id: string) =>
  sql`${address} = (select lower(email) from persons where id = ${id})`
const receiver = sql`lower(payload ->> 'to')`
const answerColumns = sql`field, version, value, answered_at as "answeredAt"`
const mailColumns = sql`kind, payload ->> 'to' as "to", created_at as "createdAt", failed_at as "failedAt"`

/** The field and the salt that its digest needs, so that what is left can still be verified: docs/decisions/0042. */
const withoutIp = sql`ip = null, salts = salts - 'ip', erased_at = clock_timestamp()`
const withoutContent = sql`before = null, after = null, salts = salts - 'before' - 'after', erased_at = clock_timestamp()`
const withoutPerson = sql`person_name = null, ip = null, salts = salts - 'person_name' - 'ip', erased_at = clock_timestamp()`
const actionOther = [
  'actor_id',
  'actor_name',
  'action',
  'route',
  'target',
  'keys',
  'request_id',
  'previous_hash',
  'hash',
  'api_token_id',
  'salts',
  'digests',
]
const actionPersonal = ['ip', 'person_id', 'person_name', 'api_token_name', 'before', 'after']
const isPlayerTeam = sql`team_id in (select id from teams where perms = 0)`

/** In the order of deletions: what is found by an address comes before the address. */
export const personalTables: readonly PersonalTable[] = [
  {
    name: 'outbox',
    category: 'mail',
    personal: ['payload', 'last_error'],
    other: ['kind'],
    team: { rows: toTeam(receiver), download: mailColumns, deletion: 'row' },
    person: { rows: toPerson(receiver), download: mailColumns, deletion: 'row' },
    retention: { where: sql`payload ? 'to'`, at: sql`created_at`, erased: 'row' },
  },
  {
    name: 'mail_opt_outs',
    category: 'mail',
    personal: ['address'],
    other: [],
    team: { rows: toTeam(sql`address`), download: sql`address, at`, deletion: 'row' },
    person: { rows: toPerson(sql`address`), download: sql`address, at`, deletion: 'row' },
    retention: { where: sql`true`, at: sql`at`, erased: 'row' },
  },
  {
    name: 'pending_registrations',
    category: 'account',
    personal: ['email', 'name', 'fields', 'declared'],
    other: ['id', 'division', 'code_id'],
    retention: { where: sql`true`, at: sql`created_at`, erased: 'row' },
  },
  {
    name: 'registration_requests',
    category: 'account',
    personal: ['name', 'email', 'extrank_id', 'reason', 'fields', 'declared'],
    other: ['id', 'division', 'code_id', 'waits_for', 'state', 'token_hash', 'team_id'],
    team: {
      rows: ofTeam,
      download: sql`name, email, division, declared, state, reason, fields, created_at as "createdAt", decided_at as "decidedAt"`,
      deletion: 'row',
    },
    retention: { where: sql`true`, at: sql`created_at`, erased: 'row' },
  },
  {
    name: 'field_answers',
    category: 'account',
    personal: ['value'],
    other: ['team_id', 'person_id', 'field', 'answered_by'],
    team: { rows: ofTeam, download: answerColumns, deletion: 'row' },
    retention: { where: isPlayerTeam, at: sql`answered_at`, erased: 'row' },
    changed: { kind: teamAnswerRows, key: sql`team_id` },
  },
  {
    name: 'field_answers',
    category: 'account',
    personal: [],
    other: [],
    person: { rows: ofPerson, download: answerColumns, deletion: 'row' },
    retention: {
      where: sql`person_id in (select id from persons where team_id is null or ${isPlayerTeam})`,
      at: sql`answered_at`,
      erased: 'row',
    },
    changed: { kind: personAnswerRows, key: sql`person_id` },
  },
  {
    name: 'eligibility_decisions',
    category: 'account',
    personal: ['reason'],
    other: ['team_id', 'rule', 'result', 'decided_by'],
    team: { rows: ofTeam, download: sql`rule, result, reason, decided_at as "decidedAt"`, deletion: 'row' },
    retention: { where: sql`reason <> ''`, at: sql`decided_at`, erased: sql`reason = ''` },
    changed: { kind: decisionRows, key: sql`team_id` },
  },
  {
    name: 'members',
    category: 'account',
    personal: ['email'],
    other: ['id', 'team_id'],
    team: { rows: ofTeam, download: sql`email, created_at as "createdAt"`, deletion: 'row' },
    retention: { where: isPlayerTeam, at: sql`created_at`, erased: 'row' },
  },
  {
    name: 'person_sessions',
    category: 'signIn',
    personal: ['browser', 'ip', 'methods'],
    other: ['id', 'person_id'],
    person: {
      rows: ofPerson,
      download: sql`methods, browser, ip, created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt",
        ended_at as "endedAt"`,
      deletion: 'row',
    },
    retention: {
      where: sql`ended_at is not null`,
      at: sql`created_at`,
      erased: 'row',
    },
    changed: { kind: endedSessionRows, key: sql`id` },
  },
  {
    name: 'person_sessions',
    category: 'signIn',
    personal: [],
    other: [],
    retention: {
      where: sql`(ip is not null or browser <> '')`,
      at: sql`created_at`,
      erased: sql`ip = null, browser = ''`,
    },
  },
  {
    name: 'person_identities',
    category: 'signIn',
    personal: ['issuer', 'subject', 'label', 'division'],
    other: ['person_id'],
    person: {
      rows: ofPerson,
      download: sql`issuer, subject, label, division, created_at as "createdAt", last_used_at as "lastUsedAt"`,
      deletion: 'row',
    },
    retention: { where: sql`label <> ''`, at: sql`created_at`, erased: sql`label = ''` },
  },
  {
    name: 'passkeys',
    category: 'signIn',
    personal: ['id', 'name', 'public_key'],
    other: ['person_id', 'transports'],
    person: {
      rows: ofPerson,
      download: sql`name, transports, created_at as "createdAt", last_used_at as "lastUsedAt"`,
      deletion: 'row',
    },
  },
  {
    name: 'recovery_codes',
    category: 'signIn',
    personal: [],
    other: ['hash', 'person_id'],
    person: {
      rows: ofPerson,
      download: sql`created_at as "createdAt"`,
      deletion: 'row',
    },
  },
  {
    name: 'api_tokens',
    category: 'signIn',
    personal: ['name', 'last_used_ip'],
    other: ['id', 'team_id', 'person_id', 'hash', 'scopes'],
    team: {
      rows: ofTeam,
      deletion: 'row',
    },
    person: {
      rows: ofPerson,
      download: sql`name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
        last_used_ip as "lastUsedIp"`,
      deletion: 'row',
    },
    retention: {
      where: sql`last_used_ip is not null`,
      at: sql`created_at`,
      erased: sql`last_used_ip = null`,
    },
    changed: { kind: apiTokenRows, key: sql`team_id` },
  },
  {
    name: 'api_tokens',
    category: 'signIn',
    personal: [],
    other: [],
    team: {
      rows: ofTeamItself,
      download: sql`name, scopes, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
        last_used_ip as "lastUsedIp"`,
    },
  },
  {
    name: 'markers',
    category: 'signIn',
    personal: ['value'],
    other: ['key'],
  },
  ...playTables,
  {
    name: 'admin_actions',
    category: 'actions',
    personal: actionPersonal,
    other: actionOther,
    // No download: that points changed is closed while the standings are frozen.
    team: { rows: isTarget, deletion: withoutContent },
    person: { rows: isTarget, download: sql`action, at`, deletion: withoutContent },
    retention: { where: sql`ip is not null`, at: sql`at`, erased: withoutIp },
  },
  {
    // Names of many teams are in one entry.
    name: 'admin_actions',
    category: 'actions',
    personal: [],
    other: [],
    team: {
      rows: (id) => sql`action = 'team.import' and position(${id} in after::text) > 0`,
      deletion: withoutContent,
    },
  },
  {
    name: 'admin_actions',
    category: 'actions',
    personal: [],
    other: [],
    person: {
      rows: ofPerson,
      download: sql`action, target, route, at, ip, api_token_name as "apiToken"`,
      section: 'own_actions',
      deletion: withoutPerson,
    },
  },
  {
    name: 'unlogged_pushes',
    category: 'actions',
    personal: ['ip'],
    other: ['challenge_id'],
    retention: { where: sql`pushes = 0`, at: sql`logged_at`, erased: 'row' },
  },
  {
    name: 'persons',
    category: 'account',
    personal: ['name', 'email'],
    other: ['id', 'team_id'],
    team: {
      rows: ofTeam,
      download: sql`name, is_captain as "isCaptain", joined_at as "joinedAt"`,
      deletion: sql`team_id = null`,
    },
    person: {
      rows: idIs,
      download: sql`id, name, email, (select teams.name from teams where teams.id = team_id) as team,
        is_captain as "isCaptain", joined_at as "joinedAt", created_at as "createdAt"`,
      deletion: 'row',
    },
    retention: {
      where: sql`email is not null and (team_id is null or ${isPlayerTeam})`,
      at: sql`created_at`,
      erased: sql`email = null`,
    },
    changed: { kind: personRows, key: sql`id` },
  },
  {
    name: 'teams',
    category: 'account',
    personal: ['name', 'email', 'extrank_id', 'avatar_url', 'country_code', 'status_text', 'agent'],
    other: ['id', 'division', 'track', 'join_code', 'registration_code_id'],
    team: {
      rows: idIs,
      download: sql`id, name, email, division, track, agent, extrank_id as "rankingSiteId", avatar_url as "avatarUrl",
        country_code as "countryCode", status_text as "statusText", banned, created_at as "createdAt"`,
      deletion: sql`email = null, agent = null, extrank_id = null, avatar_url = null, country_code = null, status_text = null,
        join_code = null, registration_code_id = null, token_off = true, erased_at = clock_timestamp(),
        name = 'Deleted team ' || n || case when exists (
          select from teams other where other.id <> teams.id
            and lower(regexp_replace(other.name, ' +', ' ', 'g')) = 'deleted team ' || teams.n
        ) then ' ' || left(id, 8) else '' end`,
    },
    retention: {
      where: sql`email is not null and perms = 0`,
      at: sql`created_at`,
      erased: sql`email = null`,
    },
    changed: { kind: 'teams', key: sql`id` },
  },
]
