import type { ArchivePlan } from '../../../api/archive.ts'
import { adminChallengesMessages, type AdminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import type { DraftField } from '../draft.ts'
import styles from './import.module.css'

type Planned = ArchivePlan['challenges'][number]
type State = Planned['state']
type OtherField = keyof AdminChallengesMessages['archive']['otherFields']

const ORDER: readonly State[] = ['created', 'changed', 'unchanged']

/** What an import changes, and why it is not possible. */
export function ArchivePlanView({ plan }: { readonly plan: ArchivePlan }) {
  const text = useMessages(adminChallengesMessages).archive
  const { challenges, problemCount, ignoredCount } = plan
  const count = (wanted: State) => challenges.filter(({ state }) => state === wanted).length
  const isSame = problemCount === 0 && challenges.every(({ state }) => state === 'unchanged')
  return (
    <div className={styles.scroll} role="region" tabIndex={0} aria-label={text.plan}>
      {problemCount > 0 && <Problems plan={plan} />}
      <p role="status">
        {isSame ? text.nothingToDo : text.summary(count('created'), count('changed'), count('unchanged'))}
      </p>
      {challenges.length > 0 && <Challenges challenges={challenges} />}
      {ignoredCount > 0 && <Ignored plan={plan} />}
    </div>
  )
}

function Challenges({ challenges }: Pick<ArchivePlan, 'challenges'>) {
  const messages = useMessages(adminChallengesMessages)
  const text = messages.archive
  const sorted = challenges.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  return (
    <table className={styles.differences} aria-label={text.plan}>
      <thead>
        <tr>
          <th scope="col">{text.challenge}</th>
          <th scope="col">{text.state}</th>
          <th scope="col">{text.changes}</th>
        </tr>
      </thead>
      <tbody>
        {sorted.map(({ id, name, path, state, fields }) => (
          <tr key={path}>
            <th scope="row">
              <bdi>{name === '' ? id : name}</bdi> <bdi className={styles.path}>{path}</bdi>
            </th>
            <td>
              <span className={styles.state} data-state={state}>
                {text.states[state]}
              </span>
            </td>
            <td>{fields.map((field) => fieldName(messages, field)).join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function fieldName({ fields, archive }: AdminChallengesMessages, field: Planned['fields'][number]): string {
  return field in archive.otherFields ? archive.otherFields[field as OtherField] : fields[field as DraftField]
}

function Problems({ plan: { problems, problemCount } }: { readonly plan: ArchivePlan }) {
  const text = useMessages(adminChallengesMessages).archive
  return (
    <>
      <p role="alert">
        <b>{text.problems(problemCount)}</b>. {text.problemsAbout}
      </p>
      <table className={styles.differences} aria-label={text.problems(problemCount)}>
        <thead>
          <tr>
            <th scope="col">{text.path}</th>
            <th scope="col">{text.reason}</th>
          </tr>
        </thead>
        <tbody>
          {problems.map(({ path, reason }) => (
            <tr key={`${path} ${reason}`}>
              <td>{path === '' ? text.wholeArchive : <bdi>{path}</bdi>}</td>
              <td>
                <bdi>{reason}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problemCount > problems.length && <p>{text.more(problemCount - problems.length)}</p>}
    </>
  )
}

function Ignored({ plan: { ignored, ignoredCount } }: { readonly plan: ArchivePlan }) {
  const text = useMessages(adminChallengesMessages).archive
  return (
    <details>
      <summary>{text.ignored(ignoredCount)}</summary>
      <p>{text.ignoredAbout}</p>
      <ul>
        {ignored.map((path) => (
          <li key={path}>
            <bdi>{path}</bdi>
          </li>
        ))}
      </ul>
      {ignoredCount > ignored.length && <p>{text.more(ignoredCount - ignored.length)}</p>}
    </details>
  )
}
