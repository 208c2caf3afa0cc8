import type { CaseView } from './views.ts'

/** Equal wrong flags may be planted ones, which a report must not spread. Evidence has no addresses. */
const LEFT_OUT = 'flag'

/** For the jury, without addresses. Texts of people are quoted, so that none of them is a heading of the report. */
export function reportOf(view: CaseView): string {
  const names = view.teams.map(({ name }) => inline(name)).join(', ')
  return [
    `# Fair play, case ${view.number}: ${names}`,
    `Opened ${time(view.createdAt)}. Decision: ${decisionOf(view)}.`,
    ...(view.reason === null ? [] : [quoted(view.reason)]),
    ...section('Signals', [view.signals.map(signalLine).join('\n')]),
    ...section('Teams', view.members.flatMap(memberLines)),
    ...section(
      'Notes',
      view.notes.flatMap(({ author, content, at }) => [
        `${time(at)}, ${inline(author?.name ?? 'unknown')}:`,
        quoted(content),
      ]),
    ),
    ...section(view.isCut ? 'Timeline (the latest entries)' : 'Timeline', [
      view.timeline.map((entry) => timelineLine(entry, view)).join('\n'),
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

function section(title: string, parts: readonly string[]): string[] {
  const filled = parts.filter((part) => part !== '')
  return filled.length === 0 ? [] : [`## ${title}`, ...filled]
}

function decisionOf({ decision, decidedAt, decidedBy }: CaseView): string {
  if (decision === null || decidedAt === null) return 'none yet'
  return `${decision}, ${time(decidedAt)}, by ${inline(decidedBy?.name ?? 'unknown')}`
}

function signalLine({ at, kind, tier, teams, challenge, evidence }: CaseView['signals'][number]): string {
  const facts = Object.entries(evidence).filter(([name]) => name !== LEFT_OUT)
  const about = teams.map(({ name }) => inline(name)).join(' → ')
  const where = challenge ? `, ${inline(challenge.name)}` : ''
  const shown = facts.map(([name, value]) => `; ${name} ${inline(String(value))}`).join('')
  return `- ${time(at)}: ${kind} (${tier}), ${about}${where}${shown}`
}

function memberLines({ team, concerned, appeal, ruling, messages }: CaseView['members'][number]): string[] {
  return [
    `### ${inline(team.name)}`,
    concerned ? 'The decision is about this team.' : '',
    ...messages.flatMap(({ fromTeam, content, createdAt }) => [
      `${time(createdAt)}, ${fromTeam ? 'the team' : 'the organisers'}:`,
      quoted(content),
    ]),
    ...(appeal === null ? [] : ['Appeal:', quoted(appeal)]),
    ...(ruling === null ? [] : ['Answer:', quoted(ruling)]),
  ]
}

function timelineLine({ at, kind, teamId, challenge, detail }: CaseView['timeline'][number], view: CaseView) {
  const team = view.teams.find(({ id }) => id === teamId)?.name ?? teamId
  return `- ${time(at)}: ${inline(team)}, ${kind} ${detail}${challenge ? `, ${inline(challenge.name)}` : ''}`
}

function time(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** One line without markup. */
function inline(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|~!&]/g, String.raw`\$&`)
}

function quoted(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${inline(line)}`)
    .join('\n')
}
