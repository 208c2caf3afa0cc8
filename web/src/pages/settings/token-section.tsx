import { accountWords } from '../../account/words.ts'
import { useConfig } from '../../api/use-contest.ts'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Secret } from '../../ui/buttons/secret.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { Panel } from '../../ui/states/panel.tsx'
import styles from './settings.module.css'
import { words } from './words.ts'

/** What signs in as the team, in any browser. */
export function TokenSection({ token }: { readonly token: string }) {
  const text = useText(words)
  const account = useText(accountWords)
  const event = useConfig()?.ctfName ?? ''
  const save = () => {
    saveFile({ name: 'team-token.txt', content: `${event}\n${token}\n`, type: 'text/plain' })
  }
  return (
    <Panel title={text.token}>
      <div className={styles.form}>
        <p>{text.tokenText}</p>
        <Secret label={text.token} value={token} />
        <div className={styles.actions}>
          <Button icon="download" onClick={save}>
            {account.download}
          </Button>
        </div>
      </div>
    </Panel>
  )
}
