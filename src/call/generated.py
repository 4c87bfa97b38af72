"""Files that the generators make of their tables."""
import os


def write(folder, name, text):
    """Leaves a file that would not change alone, for make's sake."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() == text:
                return
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
