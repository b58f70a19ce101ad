import { Alert, Button, Loader, Modal, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useApp, useSession } from "../session-context.tsx";
import { waitingForServer } from "../store/cluster-sentences.ts";
import styles from "./JoinDialog.module.css";

const wordsOf = {
  join: {
    title: "Join the room?",
    sentence:
      "Somebody shares a room with you: your browser can become one of its ranks and share the computing.",
    action: "Join",
  },
  return: {
    title: "Join the room again?",
    sentence: "This page was in a room. It can join again, as a new rank.",
    action: "Join again",
  },
  open: {
    title: "Open the room of a job?",
    sentence: "The ranks of a job wait for a page: this one can open their room, and show what they have.",
    action: "Open the room",
  },
} as const;

/** Asks a person who opened an invitation whether to join, and shows the progress. */
export function JoinDialog({ opened }: { opened: boolean }) {
  const { cluster } = useSession();
  const { phase, invitation, error, rank } = useApp(({ cluster }) => cluster);
  const isAsking = phase === "none";
  const words = wordsOf[invitation?.isReturn ? "return" : invitation?.opens ? "open" : "join"];
  return (
    <Modal
      opened={opened}
      onClose={isAsking ? cluster.decline : cluster.cancel}
      title={words.title}
      size={440}
      closeButtonProps={{ "aria-label": "Close" }}
      closeOnClickOutside={false}
      classNames={{ title: styles.title, body: styles.body }}
    >
      {isAsking && error && (
        <Alert color="red" title={error.problem} role="alert">
          {error.remedy}
        </Alert>
      )}
      {isAsking ? (
        <Question words={words} />
      ) : (
        <div className={styles.wait}>
          <Loader size="sm" />
          <p className={styles.sentence} role="status">
            {phase === "waiting"
              ? "Waiting for the host, who sees your name, device and GPU and decides whether you can join."
              : rank?.isReachable === false
                ? waitingForServer
                : "Looking for the room’s host…"}
          </p>
          <Button size="xs" variant="default" onClick={cluster.cancel}>
            Cancel
          </Button>
        </div>
      )}
    </Modal>
  );
}

function Question({ words }: { words: (typeof wordsOf)[keyof typeof wordsOf] }) {
  const { cluster } = useSession();
  const known = useApp(({ cluster }) => cluster.name);
  const [name, setName] = useState(known);
  const join = (event: FormEvent): void => {
    event.preventDefault();
    cluster.accept(name);
  };
  return (
    <form className={styles.form} onSubmit={join}>
      <p className={styles.sentence}>{words.sentence}</p>
      <TextInput
        label="Your name"
        placeholder="Shown to the others"
        size="sm"
        maxLength={60}
        autoComplete="nickname"
        value={name}
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <p className={styles.note}>
        The others see this name, your browser and GPU and, over WebRTC, this device’s network address.
      </p>
      <div className={styles.buttons}>
        <Button size="sm" variant="default" onClick={cluster.decline}>
          Not now
        </Button>
        <Button size="sm" type="submit">
          {words.action}
        </Button>
      </div>
    </form>
  );
}
