import { readAdminBotStatus } from '@pennant/contract/admin-bot.ts'
import { useQuery } from '@tanstack/react-query'
import { ask } from '../../../api/client.ts'
import { kindOf } from '../../../api/failure.ts'
import { ownKey } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { useText } from '../../../text/catalogue.ts'
import { Switch } from '../../../ui/fields/choices.tsx'
import { CodeEditor } from '../../../ui/rich/code-editor.tsx'
import styles from '../challenges.module.css'
import type { AdminChallenge } from '../draft.ts'
import type { Editor } from '../use-editor.ts'
import { words } from '../words.ts'
import { authorOffers } from './author-api.ts'
import { lineMarks } from './line-marks.ts'
import { NEW_CODE } from './new-code.ts'
import { botApiWords } from './words.ts'

interface BotPartProps {
  readonly challenge: AdminChallenge
  readonly editor: Editor
}

/** The code of the admin bot, and what was derived from the stored one. */
export function BotPart({ challenge, editor }: BotPartProps) {
  const text = useText(words)
  const api = useText(botApiWords)
  const status = useQuery({
    queryKey: [ownKey, 'bot-language'],
    queryFn: ({ signal }) => ask(readAdminBotStatus, {}, { signal }),
    ...refresh(null),
  })
  const isMissing = kindOf(status.error) === 'badEndpoint'
  const { adminBotCode: code } = editor.draft
  const problem = editor.problems.adminBotCode
  const set = (adminBotCode: string | null) => editor.set({ adminBotCode })
  if (isMissing && code === null) return <p>{text.bot.missing}</p>
  return (
    <div className={styles.form}>
      <Switch
        label={text.bot.on}
        checked={code !== null}
        onChange={(on) => set(on ? (editor.base.adminBotCode ?? NEW_CODE) : null)}
      />
      {isMissing && <p role="alert">{text.bot.missing}</p>}
      {code !== null && (
        <>
          <p className={styles.small}>{text.bot.about}</p>
          <CodeEditor
            label={text.bot.code}
            language="typescript"
            readOnly={!editor.mayWrite}
            value={code}
            marks={lineMarks(problem)}
            offersAt={authorOffers(api)}
            onChange={set}
          />
          {problem && (
            <pre role="alert" className={styles.raw}>
              {problem}
            </pre>
          )}
          <Derived config={challenge.adminBotConfig} isChanged={editor.changed.includes('adminBotCode')} />
        </>
      )}
    </div>
  )
}

interface DerivedProps {
  readonly config: AdminChallenge['adminBotConfig']
  readonly isChanged: boolean
}

/** What the stored code asks of teams; of changed code it is known when it is saved. */
function Derived({ config, isChanged }: DerivedProps) {
  const text = useText(words)
  if (!config || isChanged) return <p className={styles.small}>{text.bot.afterSave}</p>
  return (
    <>
      <table className={styles.worth}>
        <caption>{text.bot.inputs}</caption>
        <tbody>
          {Object.entries(config.inputs).map(([name, { pattern, flags }]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                <code dir="ltr">{`/${pattern}/${flags ?? ''}`}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.small}>
        {text.bot.revision} <code dir="ltr">{config.revision}</code>
      </p>
    </>
  )
}
