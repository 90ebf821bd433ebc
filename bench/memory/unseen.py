"""Some days of another invented person, for a figure that no rule was written by: nobody tunes anything to this."""

from __future__ import annotations

from bench.memory.month import Entry
from bench.memory.questions import Question

DAYS = (
    Entry(1, "Petra took over the bakery from her uncle in 2019. She lives above the shop.", "Petra"),
    Entry(1, "The wifi at the allotment hut is off until spring.", "Hut"),
    Entry(2, "I teach chemistry at the Rowan Street school. Room 7 is mine.", "School"),
    Entry(2, "Our dog is called Biscuit, he turned six in October.", "Biscuit"),
    Entry(3, "I hate coriander.", answer="Understood, no coriander then."),
    Entry(3, "Dana and Felix got engaged on 1 November.", "News"),
    Entry(4, "Car insurance renewed with Oakline, 388 pounds.", "Insurance"),
    Entry(5, "My GP is Dr. Imani Castell. Her practice moved to Quay Road last month.", "Doctor"),
    Entry(6, "We are going to Porto over Easter, Felix booked the flights.", "Easter"),
    Entry(
        6, "My daughter Nell plays the oboe.", answer="The oboe is a demanding instrument. Nell must practise daily."
    ),
    Entry(8, "Nell's oboe lessons: Wednesdays, half past four, with Mr. Abara.", "Oboe"),
    Entry(9, "The boiler was serviced by Hale Heating on 9 November. Next service is due in a year.", "Boiler"),
    Entry(10, "Felix works for the water board. Dana is a translator.", "Work"),
    Entry(11, "I gave up sugar in my tea.", "Tea"),
    Entry(12, "I owe Petra 40 pounds for the flour.", answer="Shall I add a task for that?"),
    Entry(13, "The loft key hangs behind the fuse box.", "Loft"),
    Entry(14, "From now on Nell's oboe lessons are on Mondays at five.", "Oboe again"),
    Entry(15, "Petra's bakery is closed on Tuesdays.", "Bakery"),
    Entry(17, "I paid Petra back today.", "Flour"),
    Entry(18, "Dana moved in with Felix on 16 November, they live at 9 Mill Lane.", "Mill Lane"),
    Entry(19, "What should Dana wear at the wedding?", answer="Dana loves emerald green, so a green dress."),
    Entry(20, "I start at the Northgate school in January.", "New job"),
    Entry(22, "We have changed our mind: Easter will be in Ghent, not Porto.", "Ghent"),
    Entry(24, "Biscuit weighs 14 kilos.", "Vet"),
    Entry(26, "I passed the sailing exam on 25 November.", "Sailing"),
)
QUESTIONS = (
    Question("single", "Where does Petra live?", ("above the shop",)),
    Question("single", "What do I teach?", ("chemistry",)),
    Question("single", "What is our dog called?", ("Biscuit",)),
    Question("single", "Which herb do I hate?", ("coriander",)),
    Question("single", "Who is my GP?", ("Castell",)),
    Question("single", "Which instrument does Nell play?", ("oboe",)),
    Question("single", "Where does the loft key hang?", ("fuse box",)),
    Question("single", "Who does Felix work for?", ("water board",)),
    Question("several", "Who is our car insured with, and what does it cost?", ("Oakline", "388")),
    Question("several", "What does Dana do, and where does she live?", ("translator", "Mill Lane")),
    Question("time", "When did Dana and Felix get engaged?", ("1 November",)),
    Question("time", "When was the boiler serviced?", ("9 November",)),
    Question("time", "When did I pass the sailing exam?", ("25 November",)),
    Question("time", "When are Nell's oboe lessons?", ("Wednesdays",), ("Mondays",), 10),
    Question("update", "When are Nell's oboe lessons?", ("Mondays",), ("Wednesdays",)),
    Question("update", "Where do we spend Easter?", ("Ghent",), ("going to Porto",)),
    Question("abstention", "Which colour does Dana love?"),
    Question("abstention", "Where was Petra born?"),
    Question("abstention", "What is Mr. Abara's first name?"),
    Question("abstention", "Who is my dentist?"),
)
