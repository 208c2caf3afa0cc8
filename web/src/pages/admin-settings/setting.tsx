import type { ReactNode } from 'react'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Button } from '../../ui/buttons/button.tsx'
import type { Key } from './draft.ts'
import styles from './settings.module.css'
import { useFormatSetting } from './use-format-setting.ts'
import type { SettingsForm } from './use-settings.ts'

interface SettingProps {
  readonly form: SettingsForm
  readonly name: Key
  readonly children: ReactNode
}

/** One setting: its field, the origin of its value, the default, and a reset button. */
export function Setting({ form, name, children }: SettingProps) {
  const text = useMessages(adminSettingsMessages)
  const formatSetting = useFormatSetting()
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
              {text.defaultIs} <bdi>{formatSetting(form.saved.defaults[name])}</bdi>
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
