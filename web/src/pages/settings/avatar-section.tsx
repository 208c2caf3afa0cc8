import { updateAvatar } from '@pennant/contract/avatars.ts'
import { lazy, Suspense, useEffect, useState } from 'react'
import { send } from '../../api/client.ts'
import { useCaptcha } from '../../layout/use-captcha.tsx'
import { settingsMessages } from '../../text/en/settings.ts'
import { useMessages } from '../../text/messages.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/buttons/button.tsx'
import { Avatar } from '../../ui/data/team-name.tsx'
import { ConfirmButton } from '../../ui/layers/confirm.tsx'
import { Panel } from '../../ui/states/panel.tsx'
import { FileDrop } from '../../ui/upload/file-drop.tsx'
import { Outcome } from './outcome.tsx'
import styles from './settings.module.css'
import { useChange } from './use-change.ts'
import { useUnsaved } from './unsaved.ts'

const AvatarCrop = lazy(async () => ({
  default: (await import('../../ui/upload/avatar-crop.tsx')).AvatarCrop,
}))

const MEBIBYTE = 1024 * 1024
/** Limit for the source image; the cropped upload is far smaller. */
const MAX_SOURCE_BYTES = 20 * MEBIBYTE
/** Limit of the server. */
const MAX_AVATAR_BYTES = MEBIBYTE
const AVATAR_PX = 72

interface AvatarSectionProps {
  readonly team: { readonly id: string; readonly name: string; readonly avatarUrl: string | null }
}

/** The team's avatar: choose, crop to a square and upload, or remove. */
export function AvatarSection({ team }: AvatarSectionProps) {
  const text = useMessages(settingsMessages)
  const change = useChange()
  const captcha = useCaptcha('avatarUpload')
  const [image, setImage] = useState<ImageBitmap | null>(null)
  useUnsaved('avatar', image !== null)
  useEffect(() => () => image?.close(), [image])

  const open = (file: File | undefined) => {
    if (!file) return
    createImageBitmap(file).then(setImage, () => change.setFailure(text.notAnImage))
  }
  const put = async (avatar: Blob | null) => {
    const captchaCode = await captcha.getCode()
    if (captchaCode === null) return
    const form = new FormData()
    if (avatar) form.set('avatar', avatar, 'avatar')
    if (captchaCode) form.set('captchaCode', captchaCode)
    const confirm = () => announce(avatar ? text.saved : text.avatarRemoved)
    if (await change.run(() => send(updateAvatar, { form }), confirm)) setImage(null)
  }
  return (
    <Panel title={text.avatar}>
      <div className={styles.form}>
        <div className={styles.avatar}>
          <Avatar name={team.name} teamId={team.id} url={team.avatarUrl} size={AVATAR_PX} />
          {team.avatarUrl !== null && (
            <ConfirmButton busy={change.isPending} onConfirm={() => void put(null)}>
              {text.removeAvatar}
            </ConfirmButton>
          )}
        </div>
        {image ? (
          <Suspense>
            <AvatarCrop
              image={image}
              maxSize={MAX_AVATAR_BYTES}
              onDone={(avatar) => void put(avatar)}
              onFailure={() => change.setFailure(text.notAnImage)}
              saveLabel={text.saveAvatar}
            />
            <div className={styles.actions}>
              <Button onClick={() => setImage(null)}>{text.cancel}</Button>
            </div>
          </Suspense>
        ) : (
          <FileDrop
            label={text.chooseAvatar}
            accept="image/*"
            maxSize={MAX_SOURCE_BYTES}
            onFiles={([file]) => open(file)}
          />
        )}
        <Outcome change={change} />
        {captcha.gate}
      </div>
    </Panel>
  )
}
