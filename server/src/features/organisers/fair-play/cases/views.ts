import { caseLimits, type FairPlayCase, type FairPlayCaseSummary } from '@pennant/contract/fair-play-cases.ts'
import type { z } from 'zod'
import type { Queries } from '../../../../db/database.ts'
import type { WorldView } from '../../../../world/model.ts'
import { readMessages } from '../../../news/messages/store.ts'
import { readSignals } from '../store.ts'
import { named, namedChallenge, signalView } from '../views.ts'
import { mayAppeal, readMembers, readNotes, type CaseRow, type MemberRow, type OwnCaseRow } from './store.ts'
import { readTimeline } from './timeline.ts'

export function summaryView(row: CaseRow, world: WorldView): z.input<typeof FairPlayCaseSummary> {
  const { id, number, version, teamIds, assigneeId, createdAt, decision, decidedAt, appeals } = row
  return {
    id,
    number,
    version,
    teams: teamIds.map((teamId) => named(teamId, world)),
    assignee: orNull(assigneeId, world),
    createdAt,
    decision,
    decidedAt,
    appeals,
  }
}

export type CaseView = z.input<typeof FairPlayCase>

export async function readCaseView(db: Queries, row: CaseRow, world: WorldView): Promise<CaseView> {
  const members = await readMembers(db, row.id)
  const notes = await readNotes(db, row.id)
  const { teamIds } = row
  const { signals } = await readSignals(db, { teamIds, limit: caseLimits.signals, offset: 0 })
  const { rows, isCut } = await readTimeline(db, teamIds)
  return {
    ...summaryView(row, world),
    reason: row.reason,
    decidedBy: orNull(row.decidedBy, world),
    members: await Promise.all(members.map((member) => memberView(db, member, world))),
    notes: notes.map(({ authorId, content, at }) => ({ author: orNull(authorId, world), content, at })),
    signals: signals.map((signal) => signalView(signal, world)),
    timeline: rows.map(({ challengeId, ...entry }) => ({
      ...entry,
      challenge: challengeId === null ? null : namedChallenge(challengeId, world),
    })),
    isCut,
  }
}

async function memberView(db: Queries, member: MemberRow, world: WorldView) {
  const { teamId, threadId, concerned, appeal, appealedAt, ruling, ruledAt } = member
  const messages = threadId === null ? [] : await readMessages(db, threadId)
  return {
    team: named(teamId, world),
    concerned,
    appeal,
    appealedAt,
    ruling,
    ruledAt,
    messages: messages.map(({ fromTeam, content, createdAt }) => ({ fromTeam, content, createdAt })),
  }
}

export function ownCaseView(row: OwnCaseRow) {
  const { id, number, decision, reason, decidedAt, threadId, appeal, ruling } = row
  return { id, number, decision, reason, decidedAt, threadId, mayAppeal: mayAppeal(row), appeal, ruling }
}

function orNull(id: string | null, world: WorldView) {
  return id === null ? null : named(id, world)
}
