import sql from 'sql-template-tag'
import { acceptanceRows } from '../../site/pages/rows.ts'
import { ofActing, ofPerson, ofTeam, type PersonalTable } from './table.ts'

/** The address of submissions and solves that have none. */
const NO_ADDRESS = 'unknown'

/** Names of API tokens are texts of the team. */
const withoutTokenName = sql`api_token_name = null`

/** What teams and people do in the contest, and what they write to the organisers. */
export const playTables: readonly PersonalTable[] = [
  {
    name: 'solves',
    category: 'play',
    isResult: true,
    personal: ['ip'],
    other: ['challenge_id', 'team_id'],
    team: {
      rows: ofTeam,
      // Without the ranks, which are not open to teams while the standings are frozen or closed.
      download: sql`id, challenge_id as "challengeId", created_at as "createdAt", ip`,
      deletion: sql`ip = ${NO_ADDRESS}`,
    },
    person: {
      rows: (id) => sql`id::text in (select related_id from submissions where person_id = ${id})`,
      deletion: sql`ip = ${NO_ADDRESS}`,
    },
    retention: { where: sql`ip <> ${NO_ADDRESS}`, at: sql`created_at`, erased: sql`ip = ${NO_ADDRESS}` },
  },
  {
    name: 'submissions',
    category: 'play',
    personal: ['ip', 'details', 'person_id', 'api_token_name'],
    other: ['kind', 'challenge_id', 'team_id', 'result', 'related_id', 'api_token_id'],
    ...ofActing({
      download: sql`id, kind, challenge_id as "challengeId", result, ip, details ->> 'submittedFlag' as "submittedFlag",
        created_at as "createdAt", api_token_name as "apiToken"`,
      deletion: sql`ip = ${NO_ADDRESS}, ${withoutTokenName}`,
    }),
    retention: { where: sql`ip <> ${NO_ADDRESS}`, at: sql`created_at`, erased: sql`ip = ${NO_ADDRESS}` },
  },
  {
    name: 'hint_purchases',
    category: 'play',
    personal: ['person_id', 'api_token_name'],
    other: ['hint_id', 'team_id', 'adjustment_id', 'api_token_id'],
    ...ofActing({
      download: sql`hint_id as "hintId", price, at, api_token_name as "apiToken"`,
      deletion: withoutTokenName,
    }),
  },
  {
    name: 'score_adjustments',
    category: 'play',
    isResult: true,
    personal: ['reason'],
    other: ['id', 'team_id', 'kind', 'created_by', 'undone_by'],
    // No download: points are closed while the standings are frozen, and open on the scoreboard afterwards.
    team: { rows: ofTeam },
  },
  {
    name: 'feed_scores',
    category: 'play',
    isResult: true,
    personal: [],
    other: ['challenge_id', 'team_id'],
    team: { rows: ofTeam },
  },
  {
    name: 'instance_slots',
    category: 'play',
    personal: ['person_id'],
    other: ['instancer', 'team_id', 'integration_id', 'challenge_id', 'host', 'flags'],
    ...ofActing({
      download: sql`challenge_id as "challengeId", claimed_at as "startedAt", ends_at as "endsAt"`,
    }),
  },
  {
    name: 'instance_actions',
    category: 'play',
    personal: ['person_id', 'api_token_name'],
    other: ['team_id', 'challenge_id', 'action', 'api_token_id'],
    ...ofActing({
      download: sql`challenge_id as "challengeId", action, at, api_token_name as "apiToken"`,
      deletion: withoutTokenName,
    }),
  },
  {
    name: 'admin_bot_jobs',
    category: 'play',
    personal: ['inputs'],
    other: [
      'id',
      'challenge_id',
      'team_id',
      'status',
      'config_revision',
      'flags',
      'instancer_instances',
      'lease_token',
    ],
    team: {
      rows: ofTeam,
      download: sql`challenge_id as "challengeId", status, inputs, created_at as "createdAt"`,
    },
  },
  {
    name: 'page_acceptances',
    category: 'consent',
    personal: ['person_id'],
    other: ['team_id', 'page_id'],
    team: {
      rows: ofTeam,
      download: sql`(select slug from pages where id = page_id) as page, version, accepted_at as "acceptedAt"`,
    },
    person: {
      rows: ofPerson,
      download: sql`(select slug from pages where id = page_id) as page, version, accepted_at as "acceptedAt"`,
      deletion: sql`person_id = null`,
    },
    changed: { kind: acceptanceRows, key: sql`team_id` },
  },
  {
    name: 'thread_messages',
    category: 'messages',
    personal: ['content', 'person_id', 'api_token_name'],
    other: ['thread_id', 'author_id', 'api_token_id'],
    team: {
      rows: (id) => sql`thread_id in (select id from message_threads where team_id = ${id})`,
      download: sql`thread_id as thread, number, case when from_team then 'team' else 'organisers' end as "from", content,
        created_at as "createdAt", case when from_team then api_token_name end as "apiToken"`,
      deletion: 'row',
    },
    person: {
      rows: (id) => sql`person_id = ${id} and from_team`,
      download: sql`thread_id as thread, number, content, created_at as "createdAt", api_token_name as "apiToken"`,
      deletion: withoutTokenName,
    },
    retention: { where: sql`true`, at: sql`created_at`, erased: 'row', isOfMessages: true },
  },
  {
    name: 'message_threads',
    category: 'messages',
    personal: ['subject'],
    other: ['id', 'team_id', 'challenge_id', 'assignee_id'],
    team: {
      rows: ofTeam,
      download: sql`id, subject, challenge_id as "challengeId", closed, created_at as "createdAt"`,
      deletion: 'row',
    },
    retention: { where: sql`true`, at: sql`created_at`, erased: 'row', isOfMessages: true },
  },
]
