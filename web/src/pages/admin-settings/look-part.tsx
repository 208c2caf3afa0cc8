import { settingsMost } from '@pennant/contract/admin-settings.ts'
import { useState } from 'react'
import { isPictureAddress } from '../../layout/favicon.ts'
import { useText } from '../../text/catalogue.ts'
import { useRested } from '../../ui/use-rested.ts'
import styles from './settings.module.css'
import { TextSetting } from './text-setting.tsx'
import type { SettingsForm } from './use-settings.ts'
import { words } from './words.ts'

/** While an address is typed, none of its beginnings is asked for. */
const REST_MS = 600
const THEMES = ['dark', 'light'] as const

/** Pictures of the event, each shown where it will stand. */
export function LookPart({ form }: { readonly form: SettingsForm }) {
  const text = useText(words)
  const { logoDarkUrl, logoLightUrl, faviconUrl } = form.values
  const logos = { dark: logoDarkUrl || logoLightUrl, light: logoLightUrl || logoDarkUrl }
  const address = { form, kind: 'picture', max: settingsMost.url } as const
  return (
    <>
      <TextSetting {...address} name="logoDarkUrl" help={text.pictureHelp} />
      <TextSetting {...address} name="logoLightUrl" help={text.logoHelp} />
      <TextSetting {...address} name="faviconUrl" help={text.faviconHelp} />
      <div className={styles.pair}>
        {THEMES.map((theme) => (
          <figure key={theme} data-mantine-color-scheme={theme} className={styles.sample}>
            <figcaption>{text.onTheme[theme]}</figcaption>
            <Picture address={logos[theme]} name={text.logo} />
            <Picture address={faviconUrl} name={text.favicon} />
          </figure>
        ))}
      </div>
    </>
  )
}

interface PictureProps {
  readonly address: string
  readonly name: string
}

export function Picture({ address, name }: PictureProps) {
  const text = useText(words)
  const shown = useRested(address.trim(), REST_MS)
  const [broken, setBroken] = useState<string | null>(null)
  if (shown === '') return <p className={styles.note}>{text.noPicture(name)}</p>
  if (!isPictureAddress(shown)) return <p className={styles.note}>{text.badPicture(name)}</p>
  if (broken === shown) return <p className={styles.note}>{text.brokenPicture(name)}</p>
  return <img src={shown} alt={name} className={styles.picture} onError={() => setBroken(shown)} />
}
