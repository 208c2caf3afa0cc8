import { fieldText, shownValue, type CustomField } from '@pennant/contract/custom-field-values.ts'
import { readProfileAnswers } from '@pennant/contract/custom-fields.ts'
import { MINUTE_MS } from '@pennant/contract/durations.ts'
import { useQuery } from '@tanstack/react-query'
import { EligibilityList } from '../../account/eligibility-list.tsx'
import { MissingAnswers } from '../../account/missing-answers.tsx'
import { requestData } from '../../api/client.ts'
import { teamAnswersQuery, useFields } from '../../api/fields.ts'
import { OWN_KEY } from '../../api/queries.ts'
import { useGate } from '../../api/use-contest.ts'
import { refreshForAll } from '../../state/live.ts'
import { useLanguage } from '../../state/preferences.ts'
import { fieldMessages } from '../../text/en/fields.ts'
import { useFormat, useMessages } from '../../text/messages.ts'
import { Section } from '../../ui/states/panel.tsx'
import styles from './profile.module.css'

/** Answers of a team; of the own one those of its people too, what is missing, and eligibility. Nothing if there is none. */
export function AnswersPart({ id, isOwn }: { readonly id: string; readonly isOwn: boolean }) {
  return isOwn ? <OwnAnswers /> : <PublicAnswers id={id} />
}

function PublicAnswers({ id }: { readonly id: string }) {
  const fields = useFields() ?? []
  const { isEarly } = useGate('challsRead')
  const { data } = useQuery({
    queryKey: [...(isEarly ? [OWN_KEY] : []), 'profile-answers', id],
    queryFn: ({ signal }) =>
      requestData(readProfileAnswers, { params: { id } }, { signal, asTeam: isEarly, turn: 'later' }),
    ...refreshForAll(5 * MINUTE_MS),
  })
  const rows = (data?.answers ?? []).flatMap(({ field: found, values }) => {
    const field = fields.find((each) => each.id === found)
    return field ? { field, values } : []
  })
  return <Answers rows={rows} />
}

function OwnAnswers() {
  const text = useMessages(fieldMessages)
  const fields = useFields() ?? []
  const { data } = useQuery(teamAnswersQuery)
  if (!data) return null
  const rows = fields.flatMap((field) => {
    const given =
      field.of === 'team' ? [data.answers[field.id]] : data.people.map(({ answers }) => answers[field.id])
    const values = given.flatMap((value) => value ?? [])
    return values.length > 0 ? { field, values } : []
  })
  return (
    <>
      <MissingAnswers />
      <Answers rows={rows} />
      {data.eligibility.length > 0 && (
        <div id="eligibility" className={styles.part}>
          <Section title={text.eligibility}>
            <EligibilityList results={data.eligibility} />
          </Section>
        </div>
      )}
    </>
  )
}

interface AnswersProps {
  readonly rows: readonly { readonly field: CustomField; readonly values: readonly string[] }[]
}

function Answers({ rows }: AnswersProps) {
  const text = useMessages(fieldMessages)
  const format = useFormat()
  const language = useLanguage()
  const shown = rows.filter(({ field }) => field.kind !== 'consent')
  if (shown.length === 0) return null
  return (
    <div id="answers" className={styles.part}>
      <Section title={text.ofTeam}>
        <dl>
          {shown.map(({ field, values }) => (
            <div key={field.id}>
              <dt>
                <bdi>{fieldText(field, language).label}</bdi>
              </dt>
              <dd>
                <bdi>{format.list(values.map((value) => shownValue(field, value, language)))}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </div>
  )
}
