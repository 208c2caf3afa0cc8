import type { ReactNode } from 'react'
import { useText } from '../../text/catalogue.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Key } from './draft.ts'
import styles from './settings.module.css'
import { useInWords } from './use-in-words.ts'
import type { SettingsForm } from './use-settings.ts'
import { words } from './words.ts'

interface SettingProps {
  readonly form: SettingsForm
  readonly name: Key
  readonly children: ReactNode
}

/** One setting: its field, whose value it is, the default in words, and the way back to it. */
export function Setting({ form, name, children }: SettingProps) {
  const text = useText(words)
  const inWords = useInWords()
  const isOverridden = form.isOverridden(name)
  return (
    <div className={styles.setting}>
      {children}
      <div className={styles.origin}>
        <span className={styles.badge} data-overridden={isOverridden || undefined}>
          {isOverridden ? text.overridden : text.default}
        </span>
        {isOverridden && (
          <>
            <span className={styles.default}>
              {text.defaultIs} <bdi>{inWords(form.saved.defaults[name])}</bdi>
            </span>
            <Button
              tone="quiet"
              aria-label={text.resetOf(text.names[name])}
              onClick={() => form.set({ [name]: null })}
            >
              {text.reset}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}
