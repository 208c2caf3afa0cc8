import type { PersonalDataMessages } from '../../text/en/personal-data.ts'
import type { ProcessingData } from './queries.ts'

interface Formats {
  readonly dateTime: (at: number) => string
}

/** One part of the record, as text, for the page and for the file. */
export interface RecordPart {
  readonly title: string
  readonly rows: readonly (readonly [label: string, value: string])[]
}

/** The record by category, in the order of the list. */
export function partsOf({ data }: ProcessingData, text: PersonalDataMessages): RecordPart[] {
  const categories = [...new Set(data.map(({ category }) => category))]
  return categories.map((category) => {
    const places = data.filter((each) => each.category === category)
    const { title, data: what, purpose, seen } = text.categories[category]
    const outcome = (key: 'deletion' | 'retention') =>
      places.map((each) => `${each.table}: ${text.outcomes[each[key]]}`).join('; ')
    const subjects = [...new Set(places.flatMap(({ of }) => of))].map((each) => text.subject[each])
    return {
      title,
      rows: [
        [text.purpose, purpose],
        [text.data, what],
        [text.subjects, subjects.join(', ') || '–'],
        [text.seen, seen],
        [text.onDeletion, outcome('deletion')],
        [text.onTime, outcome('retention')],
        [text.stored, places.map(({ table, columns }) => `${table} (${columns.join(', ')})`).join('; ')],
      ],
    }
  })
}

export function timeOf(
  { retention: { eraseAt } }: ProcessingData,
  text: PersonalDataMessages,
  format: Formats,
) {
  return eraseAt === null ? text.noDate : text.willErase(format.dateTime(eraseAt))
}

export function receiversOf({ receivers }: ProcessingData, text: PersonalDataMessages): string[] {
  return receivers.map(({ kind, name }) => `${name}: ${text.receiverKinds[kind]}`)
}

export function measuresOf({ measures }: ProcessingData, text: PersonalDataMessages): string[] {
  return [...text.always, ...measures.map((each) => text.measureTexts[each])]
}

/** Characters that Markdown would read: names come from the configuration and from organisers. */
function plain(value: string): string {
  return value.replaceAll(/[\\`*_{}[\]<>()#+!|~-]/g, String.raw`\$&`)
}

/** The record as a Markdown file. */
export function markdownOf(record: ProcessingData, text: PersonalDataMessages, format: Formats): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${plain(item)}`).join('\n')
  const responsible = record.controller === '' ? text.notNamed : record.controller
  return [
    `# ${text.record}`,
    text.recordAbout,
    `## ${text.controller}`,
    responsible.split(/\r?\n/).map(plain).join('  \n'),
    `## ${text.settings}`,
    timeOf(record, text, format),
    ...partsOf(record, text).flatMap(({ title, rows }) => [
      `## ${title}`,
      rows.map(([label, value]) => `- **${label}:** ${plain(value)}`).join('\n'),
    ]),
    `## ${text.receivers}`,
    list(receiversOf(record, text)) || text.noReceivers,
    `## ${text.measures}`,
    list(measuresOf(record, text)),
    '',
  ].join('\n\n')
}
