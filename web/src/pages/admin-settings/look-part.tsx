import { settingsLimits } from '@pennant/contract/admin-settings.ts'
import { useEffect, useState } from 'react'
import { isPictureAddress } from '../../layout/favicon.ts'
import { adminSettingsMessages } from '../../text/en/admin-settings.ts'
import { useMessages } from '../../text/messages.ts'
import { Switch } from '../../ui/fields/choices.tsx'
import { useDebouncedValue } from '../../ui/use-debounced-value.ts'
import { Setting } from './setting.tsx'
import styles from './settings.module.css'
import { TextSetting } from './text-setting.tsx'
import type { SettingsForm } from './use-settings.ts'

/** Debounces image loading while a URL is being typed. */
const PREVIEW_DELAY_MS = 600
const THEMES = ['dark', 'light'] as const

/** Images of the event, each previewed where it will appear. */
export function LookPart({ form }: { readonly form: SettingsForm }) {
  const text = useMessages(adminSettingsMessages)
  const { logoDarkUrl, logoLightUrl, faviconUrl } = form.values
  const logos = { dark: logoDarkUrl || logoLightUrl, light: logoLightUrl || logoDarkUrl }
  const address = { form, kind: 'picture', max: settingsLimits.url } as const
  return (
    <>
      <TextSetting {...address} name="logoDarkUrl" help={text.pictureHelp} />
      <TextSetting {...address} name="logoLightUrl" help={text.logoHelp} />
      <TextSetting {...address} name="faviconUrl" help={text.faviconHelp} />
      <div className={styles.pair}>
        {THEMES.map((theme) => (
          <figure key={theme} data-theme={theme} className={styles.sample}>
            <figcaption>{text.onTheme[theme]}</figcaption>
            <Picture address={logos[theme]} name={text.logo} />
            <Picture address={faviconUrl} name={text.favicon} />
          </figure>
        ))}
      </div>
      <Setting form={form} name="externalPictures">
        <Switch
          label={text.names.externalPictures}
          help={text.externalPicturesHelp}
          checked={form.values.externalPictures}
          onChange={(externalPictures) => form.set({ externalPictures })}
        />
      </Setting>
    </>
  )
}

interface PictureProps {
  readonly address: string
  readonly name: string
}

export function Picture({ address, name }: PictureProps) {
  const text = useMessages(adminSettingsMessages)
  const shown = useDebouncedValue(address.trim(), PREVIEW_DELAY_MS)
  const [broken, setBroken] = useState<string | null>(null)
  const isBlocked = useBlocked(shown)
  if (shown === '') return <p className={styles.note}>{text.noPicture(name)}</p>
  if (!isPictureAddress(shown)) return <p className={styles.note}>{text.badPicture(name)}</p>
  if (isBlocked) return <p className={styles.note}>{text.blockedPicture(name, new URL(shown).host)}</p>
  if (broken === shown) return <p className={styles.note}>{text.brokenPicture(name)}</p>
  return <img src={shown} alt={name} className={styles.picture} onError={() => setBroken(shown)} />
}

/** Reports that are kept: those of the pictures on this page. */
const MAX_BLOCKED = 20

/** Whether the policy of this page blocks the picture: the page has the one of the time when it was loaded. */
function useBlocked(address: string): boolean {
  const [blocked, setBlocked] = useState<readonly string[]>([])
  // From the start: the report of a picture may come before the effects of the render that shows it.
  useEffect(() => {
    const note = ({ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective === 'img-src') setBlocked((all) => [...all.slice(1 - MAX_BLOCKED), blockedURI])
    }
    document.addEventListener('securitypolicyviolation', note)
    return () => document.removeEventListener('securitypolicyviolation', note)
  }, [])
  return URL.canParse(address) && blocked.includes(new URL(address).href)
}
