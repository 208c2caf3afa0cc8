import { useConfig } from '../../../api/use-contest.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { botApiMessages } from '../../../text/en/bot-api.ts'
import { useMessages } from '../../../text/messages.ts'
import { Switch } from '../../../ui/fields/choices.tsx'
import { CodeEditor } from '../../../ui/rich/code-editor.tsx'
import styles from '../challenges.module.css'
import type { AdminChallenge } from '../draft.ts'
import type { Editor } from '../editor/use-editor.ts'
import { authorOffers } from './author-api.ts'
import { lineMarks } from './line-marks.ts'

/** Template for a new admin bot; docs/author/admin-bot.md explains it. */
const NEW_CODE = `import { Challenge } from '@pennant/bot'
const challenge = new Challenge({
  timeoutMilliseconds: 10_000,
  inputs: { url: { pattern: '^https?://' } },
  async handler({ browserContext, input, job, output }) {
    await browserContext.addCookies([{ name: 'flag', value: job.flag, url: input.url }])
    const page = await browserContext.newPage()
    await page.goto(input.url)
    output.info('challenge', 'The admin looks at the page.')
    await page.waitForTimeout(3_000)
  },
})
`

interface BotPartProps {
  readonly challenge: AdminChallenge
  readonly editor: Editor
}

/** The code of the admin bot, and the configuration derived from the stored code. */
export function BotPart({ challenge, editor }: BotPartProps) {
  const text = useMessages(adminChallengesMessages)
  const api = useMessages(botApiMessages)
  const isMissing = !useConfig()?.adminBotEnabled
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

/** Shows the inputs that the stored code requires. Changed code is only evaluated when it is saved. */
function Derived({ config, isChanged }: DerivedProps) {
  const text = useMessages(adminChallengesMessages)
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
