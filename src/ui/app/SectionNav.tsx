import { type MouseEvent, useEffect, useState } from "react";
import styles from "./SectionNav.module.css";

interface Props {
  readonly sections: readonly { readonly id: string; readonly title: string }[];
}

/** Where the panels lie below the picture: jumps to a section, and marks the one that is in sight. */
export function SectionNav({ sections }: Props) {
  const [current, setCurrent] = useState(sections[0].id);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find(({ isIntersecting }) => isIntersecting);
        if (entered) setCurrent(entered.target.id);
      },
      // A line near the top of the panels.
      { root: document.getElementById(sections[0].id)?.parentElement, rootMargin: "-10% 0px -88% 0px" },
    );
    for (const { id } of sections) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [sections]);
  const jump = (event: MouseEvent, id: string): void => {
    event.preventDefault();
    document.getElementById(id)?.scrollIntoView();
    document.querySelector<HTMLElement>(`#${id} button`)?.focus({ preventScroll: true });
  };
  return (
    <nav className={styles.nav} aria-label="Sections">
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          className={styles.link}
          aria-current={id === current ? "true" : undefined}
          onClick={(event) => jump(event, id)}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}
