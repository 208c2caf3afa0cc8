import { useState } from 'react'
import { useConfig } from '../api/use-contest.ts'
import { useText } from '../text/catalogue.ts'
import { Button } from '../ui/buttons/button.tsx'
import { Secret } from '../ui/buttons/secret.tsx'
import { Switch } from '../ui/fields/choices.tsx'
import { saveFile } from '../ui/save-file.ts'
import { AccountPage } from './account-page.tsx'
import styles from './account.module.css'
import { accountWords } from './words.ts'

interface KeepTokenProps {
  readonly token: string
  readonly onDone: () => void
}

/** Shown once, after a registration: the team says that it has stored its token before it goes on. */
export function KeepToken({ token, onDone }: KeepTokenProps) {
  const text = useText(accountWords)
  const event = useConfig()?.ctfName ?? ''
  const [stored, setStored] = useState(false)
  const save = () => {
    saveFile({ name: 'team-token.txt', content: `${event}\n${token}\n`, type: 'text/plain' })
  }
  return (
    <AccountPage title={text.keepTitle}>
      <p>{text.keepText}</p>
      <Secret label={text.token} value={token} />
      <Button icon="download" onClick={save}>
        {text.download}
      </Button>
      <Switch kind="checkbox" label={text.stored} checked={stored} onChange={setStored} />
      <div className={styles.actions}>
        <Button tone="primary" disabledBecause={stored ? undefined : text.storeFirst} onClick={onDone}>
          {text.goOn}
        </Button>
      </div>
    </AccountPage>
  )
}
