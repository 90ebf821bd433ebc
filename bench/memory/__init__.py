"""How well a month of notes and chats is remembered: 60 questions, by rule or on any model."""
